// RocksDB databases: column families, entries, levels, figures over time.
import { ask } from "./api.js";
import { editButton, openEditor } from "./edit.js";
import { bars, bytes, count, curve, entered, facts, h, number, pager, place, table, tabs, value } from "./ui.js";

export function contents(store) {
    return [
        { title: "Column families", links: store.families.map((family) => ({ name: family.name, link: place(["family", family.name]), note: `≈ ${number(family.stats.keys_estimate)}` })) },
        { title: "Database", links: [{ name: "Figures over time", link: place(["figures"]) }] },
    ];
}

export const news = (change) => (change.everything ? "changed" : `sequence number ${number(change.sequence)}`);

export async function show(store, parts, query, page) {
    const [first, name] = parts.length ? parts : ["family", store.families[0].name];
    if (first === "figures") return showFigures(store, page);
    const family = store.families.find((candidate) => candidate.name === name);
    if (first !== "family" || !family) return [h("h2", {}, "There is no such page")];
    const views = [["Entries", null], ["Levels and sizes", "levels"], ["Properties", "properties"]].map(([title, view]) => [title, place(["family", name], { view })]);
    const head = (title) => [h("h2", {}, family.name), tabs(views, title)];
    if (query.view === "levels") return [...head("Levels and sizes"), ...(await showLevels(family))];
    if (query.view === "properties") return [...head("Properties"), ...(await showProperties(family))];
    if (query.key !== undefined) return [...head("Entries"), ...(await showEntry(store, family, query))];
    return showEntries(store, family, query, head("Entries"), page);
}

const key = (entry) => (entry.elements ? entry.elements.map((element, index) => [index ? h("span", { class: "quiet" }, ", ") : null, value(element)]) : value(entry.key));

/** Sets a value; without an entry, of a new key. Bytes that are not text are edited as hexadecimal digits. */
function edit(family, entry) {
    const isHex = entry ? entry.edit.hex !== undefined : false;
    const fields = [
        entry ? null : { name: "key", title: "Key", note: family.key ?? "text" },
        { name: "value", title: "Value", note: isHex ? "hexadecimal digits" : family.value ?? "text", text: entry?.edit.text ?? entry?.edit.hex ?? "", rows: 3 },
    ].filter(Boolean);
    const set = (entered) => ({ set: { family: family.name, ...(entry ? { key_hex: entry.whole } : { key: entered.key }), [isHex ? "value_hex" : "value"]: entered.value } });
    openEditor(entry ? "Value" : `New entry of ${family.name}`, fields, set);
}

const remove = (family, entry) => openEditor("Delete the entry", [], () => ({ delete: { family: family.name, id: entry.whole } }), { place: () => place(["family", family.name]), verb: "Delete" });

const link = (family, row) => place(["family", family.name], { key: row.id, mark: row.mark });

function showEntries(store, family, query, title, { below }) {
    const submit = (event) => {
        event.preventDefault();
        location.hash = place(["family", family.name], entered(event.target));
    };
    const types = family.key || family.value ? `Keys: ${family.key ?? "bytes"}. Values: ${family.value ?? "bytes"}.` : "Keys and values are bytes.";
    const head = [
        ...title,
        h("p", { class: "quiet" }, types),
        h(
            "form",
            { class: "ask", submit, role: "search", "aria-label": "Find entries" },
            h("label", {}, "Keys that begin with", h("input", { name: "prefix", value: query.prefix ?? "", class: "wide", autocomplete: "off" })),
            h("label", {}, "From key", h("input", { name: "seek", value: query.seek ?? "", class: "wide", autocomplete: "off" })),
            h("label", { class: "small" }, "Order", h("select", { name: "reverse" }, h("option", { value: "" }, "ascending"), h("option", { value: "1", selected: query.reverse === "1" }, "descending"))),
            h("button", {}, "Find"),
        ),
    ];
    return below(head, async () => {
        const answer = await ask("entries", { family: family.name, prefix: query.prefix, seek: query.seek, from: query.from, mark: query.mark, reverse: query.reverse });
        return [
            table(answer.entries.length ? `${count(answer.entries.length, "entry", "entries")}${answer.next !== null ? ", more follow" : ""}` : "No entries", [
                { title: "Key", cell: (row) => h("a", { href: link(family, row) }, key(row)) },
                { title: "Value", cell: (row) => value(row.value) },
                { title: "Bytes", numeric: true, cell: (row) => number(row.bytes) },
            ], answer.entries, { open: (row) => link(family, row) }),
            store.editing ? editButton("New entry", "Add an entry", () => edit(family)) : null,
            pager(query.from !== undefined ? () => history.back() : null, answer.next !== null ? () => { location.hash = place(["family", family.name], { ...query, from: answer.next, mark: answer.next_mark }); } : null),
        ];
    });
}

async function showEntry(store, family, { key: id, mark }) {
    const entry = await ask("entry", { family: family.name, key: id, mark });
    return [
        h("h3", {}, "Key"), h("div", { class: "value alone" }, key(entry)),
        h("h3", {}, "Value"), value(entry.value, undefined, true),
        h("p", { class: "quiet" }, count(entry.bytes, "byte")),
        store.editing
            ? h("div", { class: "pager" },
                entry.edit && entry.whole !== null ? editButton("Edit", "Edit the value", () => edit(family, entry)) : h("span", { class: "quiet" }, "too large to edit here"),
                entry.whole !== null ? h("button", { type: "button", id: "delete", click: () => remove(family, entry) }, "Delete") : null)
            : null,
    ];
}

async function showLevels(family) {
    const answer = await ask("levels", { family: family.name });
    const rows = answer.levels.filter((level) => level.count > 0);
    return [
        facts([
            ["keys, estimated", number(family.stats.keys_estimate)], ["live data", bytes(family.stats.live_data_bytes)],
            ["on disk", bytes(answer.bytes)], ["memtables", bytes(family.stats.memtable_bytes)], ["blob files", `${answer.blob_files}, ${bytes(answer.blob_bytes)}`],
        ]),
        h("h3", {}, "Levels"),
        rows.length
            ? bars("Levels", rows.map((level) => ({ name: `level ${level.level}`, value: level.bytes, parts: level.files.map((file) => file.bytes), text: `${bytes(level.bytes)}, ${count(level.count, "file")}` })))
            : h("p", { class: "quiet" }, "No files: everything is in the write-ahead log."),
        ...rows.map((level) => table(`Level ${level.level}${level.count > level.files.length ? `, the first ${count(level.files.length, "file")}` : ""}`, [
            { title: "File", cell: (file) => file.name },
            { title: "Size", numeric: true, cell: (file) => bytes(file.bytes) },
            { title: "Entries", numeric: true, cell: (file) => number(file.entries) },
            { title: "Deletions", numeric: true, cell: (file) => number(file.deletions) },
            { title: "First key", cell: (file) => value(file.first) },
            { title: "Last key", cell: (file) => value(file.last) },
        ], level.files)),
    ];
}

async function showProperties(family) {
    const answer = await ask("properties", { family: family.name });
    return [
        table("RocksDB's properties", [
            { title: "Property", cell: (row) => row.name },
            { title: "Value", cell: (row) => h("span", { class: "value" }, row.value) },
        ], answer.properties),
    ];
}

const points = [];

async function showFigures(store, { replace }) {
    const draw = () => [
        h("h2", {}, "Figures over time"),
        h("p", { class: "quiet" }, `RocksDB ${store.library}. Every two seconds while this page is open.`),
        h("div", { class: "curves" }, [
            ["sequence number", "sequence", number], ["keys, estimated", "keys", number], ["on disk", "on_disk", bytes],
            ["memtables", "memtables", bytes], ["files", "files", number],
        ].map(([title, name, format]) => curve(title, points.map((point) => Number(point[name])), format))),
    ];
    const step = async () => {
        points.push(await ask("figures"));
        if (points.length > 300) points.shift();
    };
    await step();
    const again = async () => {
        if (!location.hash.startsWith("#/figures")) return;
        try {
            await step();
            // Shown again, the page has another loop.
            if (replace(draw())) setTimeout(again, 2000);
        } catch (error) {
            if (error.name !== "AbortError") replace([...draw(), h("p", { class: "bad" }, error.message)]);
        }
    };
    setTimeout(again, 2000);
    return draw();
}
