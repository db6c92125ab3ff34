// Mapped stores: entries, waste, damage.
import { ask } from "./api.js";
import { editButton, openEditor } from "./edit.js";
import { bars, bytes, facts, h, number, pager, place, table, value } from "./ui.js";

export function contents(store) {
    return [{ title: "Mapped store", links: [{ name: "Entries", link: place(["entries"]), note: number(store.count) }, { name: "Sizes and damage", link: place(["sizes"]) }] }];
}

export const news = (change) => (change.everything ? "everything changed" : `changed: ${change.keys.length === 1 ? change.keys[0] : `${change.keys.length} keys`}`);

export async function show(store, parts, query, page) {
    if (parts[0] === "sizes") return showSizes(store);
    if (parts[0] === "entry") return showEntry(store, parts[1]);
    return showEntries(store, query, page);
}

const types = ["string", "int", "double", "float", "bool", "date", "uuid", "url", "json", "bytes"];

/** Sets a value; without a key, of a new one. */
function edit(key, entry) {
    const known = entry?.type ?? "string";
    const fields = [
        key === undefined ? { name: "key", title: "Key" } : null,
        { name: "type", title: "Type", choices: types, text: known },
        { name: "text", title: "Value", note: "bytes: hexadecimal digits", text: entry?.edit ?? "", rows: 3 },
    ].filter(Boolean);
    const set = (entered) => ({ set: { key: key ?? entered.key, type: entered.type, text: entered.text } });
    let made = key;
    openEditor(key === undefined ? "New entry" : `Value of ${key}`, fields, (entered) => { made = key ?? entered.key; return set(entered); }, { place: () => place(["entry", made]) });
}

const remove = (key) => openEditor(`Delete ${key}`, [], () => ({ delete: { key } }), { place: () => place(["entries"]), verb: "Delete" });

async function showEntries(store, query, { fresh }) {
    const answer = await ask("entries", { contains: query.contains, after: query.after });
    const submit = (event) => {
        event.preventDefault();
        location.hash = place(["entries"], Object.fromEntries(new FormData(event.target)));
    };
    return [
        h("h2", {}, "Entries"),
        h("form", { class: "ask", submit, role: "search", "aria-label": "Find keys" }, h("label", {}, "Keys that contain", h("input", { name: "contains", value: query.contains ?? "", class: "wide", autocomplete: "off" })), h("button", {}, "Find")),
        table(`${number(answer.found)} of ${number(answer.count)} keys`, [
            { title: "Key", cell: (row) => h("a", { href: place(["entry", row.key]) }, row.key) },
            { title: "Type", cell: (row) => row.type ?? "" },
            { title: "Value", cell: (row) => (row.fault ? h("span", { class: "bad" }, row.fault) : value(row.value)) },
            { title: "Bytes", numeric: true, cell: (row) => (row.bytes === undefined ? "" : number(row.bytes)) },
            { title: "Expires", cell: (row) => row.expires ?? "" },
        ], answer.entries, { open: (row) => place(["entry", row.key]), key: (row) => row.key, fresh }),
        store.editing ? editButton("New entry", "Add an entry", () => edit()) : null,
        pager(query.after ? () => history.back() : null, answer.next !== null ? () => { location.hash = place(["entries"], { ...query, after: answer.next }); } : null),
    ];
}

async function showEntry(store, key) {
    const entry = await ask("entry", { key });
    return [
        h("h2", {}, key),
        h("p", { class: "quiet" }, entry.fault ? "" : `${entry.type}, ${number(entry.bytes)} bytes${entry.expires ? `, expires ${entry.expires}` : ""}`),
        entry.fault ? h("p", { class: "bad" }, entry.fault) : value(entry.value, undefined, true),
        store.editing
            ? h("div", { class: "pager" }, types.includes(entry.type) && entry.edit !== null ? editButton("Edit", `Edit ${key}`, () => edit(key, entry)) : h("span", { class: "quiet" }, "cannot be edited here"), h("button", { type: "button", id: "delete", click: () => remove(key) }, "Delete"))
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
        bars("Types", types.types.map((type) => ({ name: type.name, value: type.bytes, text: `${bytes(type.bytes)}, ${number(type.count)} values` }))),
        h("h3", {}, "Damage"),
        check.intact
            ? h("p", { class: "good" }, `None: ${number(check.intact_count)} values were read.`)
            : h("div", { class: "bad" },
                h("p", {}, `${number(check.intact_count)} values are intact, ${number(check.damaged_keys.length)} keys are damaged, ${number(check.unreadable)} records cannot be read.`),
                check.index_intact ? null : h("p", {}, "The index is damaged."),
                check.missing ? h("p", {}, `The file ends too early: bytes ${number(check.missing[0])} to ${number(check.missing[1])} are missing.`) : null,
                h("ul", {}, check.damaged_keys.map((name) => h("li", {}, name)))),
    ];
}
