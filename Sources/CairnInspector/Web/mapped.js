// Mapped stores: entries, waste, damage.
import { ask } from "./api.js";
import { editButton, openEditor } from "./edit.js";
import { bars, bytes, count, entered, facts, h, number, pager, place, table, value } from "./ui.js";

export function contents(store) {
    return [{ title: "Mapped store", links: [{ name: "Entries", link: place(["entries"]), note: number(store.count) }, { name: "Sizes and damage", link: place(["sizes"]) }] }];
}

export const news = (change) => (change.everything ? "everything changed" : `changed: ${change.keys.map((key) => (key.length > 80 ? `${key.slice(0, 80)} …` : key)).join(", ")}`);

export async function show(store, parts, query, page) {
    if (parts[0] === "sizes") return showSizes(store);
    if (parts[0] === "entry") return showEntry(store, parts[1] ?? "", query.mark);
    return showEntries(store, query, page);
}

const types = ["string", "int", "double", "float", "bool", "date", "uuid", "url", "json", "bytes"];

/** Sets a value; without an entry, of a new key. */
function edit(entry) {
    const known = entry?.type ?? "string";
    const fields = [
        entry ? null : { name: "key", title: "Key" },
        { name: "type", title: "Type", choices: types, text: known },
        { name: "text", title: "Value", note: "bytes: hexadecimal digits", text: entry?.edit ?? "", rows: 3 },
    ].filter(Boolean);
    let made = null;
    const set = (entered) => {
        made = entry ? null : entered.key;
        return { set: { key: entry ? entry.whole : entered.key, type: entered.type, text: entered.text } };
    };
    // An address has no long key.
    openEditor(entry ? `Value of ${name(entry)}` : "New entry", fields, set, { place: () => (made !== null && made.length <= 500 ? place(["entry", made]) : null) });
}

const remove = (entry) => openEditor(`Delete ${name(entry)}`, [], () => ({ delete: { key: entry.whole } }), { place: () => place(["entries"]), verb: "Delete" });

const name = (entry) => (entry.mark === null ? entry.id : "the entry");
const link = (row) => place(["entry", row.id], { mark: row.mark });

/** Where to look if the list is not all there is. */
function damage({ damaged, unreadable }) {
    if (!damaged && !unreadable) return null;
    const parts = [damaged ? `Damaged: ${count(damaged, "value")}. ` : null, unreadable ? `Left out, since nothing of them can be read: ${count(unreadable, "record")}. ` : null];
    return h("p", { class: "bad", id: "damage" }, parts, h("a", { href: place(["sizes"]) }, "Sizes and damage"));
}

function showEntries(store, query, { fresh, below }) {
    const submit = (event) => {
        event.preventDefault();
        location.hash = place(["entries"], entered(event.target));
    };
    const head = [
        h("h2", {}, "Entries"),
        h("form", { class: "ask", submit, role: "search", "aria-label": "Find keys" }, h("label", {}, "Keys that contain", h("input", { name: "contains", value: query.contains ?? "", class: "wide", autocomplete: "off" })), h("button", {}, "Find")),
    ];
    return below(head, async () => {
        const answer = await ask("entries", { contains: query.contains, after: query.after, mark: query.mark });
        return [
            damage(answer),
            table(`${number(answer.found)} of ${count(answer.count, "key")}`, [
                { title: "Key", cell: (row) => h("a", { href: link(row) }, value(row.key)) },
                { title: "Type", cell: (row) => row.type ?? "" },
                { title: "Value", cell: (row) => (row.fault ? h("span", { class: "bad" }, row.fault) : value(row.value)) },
                { title: "Bytes", numeric: true, cell: (row) => (row.bytes === undefined ? "" : number(row.bytes)) },
                { title: "Expires", cell: (row) => row.expires ?? "" },
            ], answer.entries, { open: link, key: (row) => row.id, fresh }),
            store.editing ? editButton("New entry", "Add an entry", () => edit()) : null,
            pager(query.after !== undefined ? () => history.back() : null, answer.next !== null ? () => { location.hash = place(["entries"], { ...query, after: answer.next, mark: answer.next_mark }); } : null),
        ];
    });
}

async function showEntry(store, key, mark) {
    const entry = await ask("entry", { key, mark });
    const isLong = entry.mark !== null;
    const isText = types.includes(entry.type) && entry.edit !== null;
    return [
        h("h2", {}, isLong ? "Entry with a long key" : entry.id || h("span", { class: "nil" }, "empty")),
        isLong ? value(entry.key, undefined, true) : null,
        h("p", { class: "quiet" }, entry.fault ? "" : `${entry.type}, ${count(entry.bytes, "byte")}${entry.expires ? `, expires ${entry.expires}` : ""}`),
        entry.fault ? h("p", { class: "bad" }, entry.fault) : value(entry.value, undefined, true),
        store.editing
            ? h("div", { class: "pager" },
                entry.whole !== null && isText ? editButton("Edit", `Edit ${name(entry)}`, () => edit(entry)) : h("span", { class: "quiet" }, "cannot be edited here"),
                entry.whole !== null ? h("button", { type: "button", id: "delete", click: () => remove(entry) }, "Delete") : null)
            : null,
    ];
}

async function showSizes(store) {
    const [types, check] = await Promise.all([ask("types"), ask("verify")]);
    const waste = store.file_bytes - store.live_bytes;
    return [
        h("h2", {}, "Sizes and damage"),
        facts([["values", number(store.count)], ["file", bytes(store.file_bytes)], ["live", bytes(store.live_bytes)], ["encrypted", store.encrypted ? "yes" : "no"]]),
        bars("The file", [
            { name: "live", value: store.live_bytes, text: bytes(store.live_bytes) },
            { name: "waste and free space", value: waste, text: bytes(waste), kind: "waste" },
        ]),
        h("h3", {}, "Types"),
        bars("Types", types.types.map((type) => ({ name: type.name, value: type.bytes, text: `${bytes(type.bytes)}, ${count(type.count, "value")}` }))),
        h("h3", {}, "Damage"),
        check.intact
            ? h("p", { class: "good" }, `None: ${count(check.intact_count, "value was", "values were")} read.`)
            : h("div", { class: "bad" },
                h("p", {}, `${count(check.intact_count, "value is", "values are")} intact, ${count(check.damaged_count, "key is", "keys are")} damaged, ${count(check.unreadable, "record")} cannot be read.`),
                check.index_intact ? null : h("p", {}, "The index is damaged."),
                check.missing ? h("p", {}, `The file ends too early: bytes ${number(check.missing[0])} to ${number(check.missing[1])} are missing.`) : null,
                h("ul", {}, check.damaged_keys.map((key) => h("li", {}, value(key)))),
                check.damaged_count > check.damaged_keys.length ? h("p", {}, `and ${number(check.damaged_count - check.damaged_keys.length)} more`) : null),
    ];
}
