// Constant databases: records, chains, fill.
import { ask } from "./api.js";
import { bars, bytes, count, entered, facts, h, number, pager, place, table, value } from "./ui.js";

export function contents(store) {
    return [{ title: "Constant database", links: [{ name: "Records", link: place(["records"]), note: store.count === null ? "damaged" : number(store.count) }, { name: "Chains and fill", link: place(["chains"]) }] }];
}

const link = (row) => place(["records"], { key: row.id, hex: "1", mark: row.mark });

export async function show(store, parts, query, { below }) {
    if (parts[0] === "chains") return showChains(store);
    const submit = (event) => {
        event.preventDefault();
        location.hash = place(["records"], entered(event.target));
    };
    const isLookup = query.key !== undefined;
    const head = [
        h("h2", {}, "Records"),
        h("form", { class: "ask", submit, role: "search", "aria-label": "Look up a key" }, h("label", {}, "Key", h("input", { name: "key", value: query.hex ? "" : query.key ?? "", class: "wide", autocomplete: "off" })), h("button", {}, "Look up")),
    ];
    return below(head, async () => {
        const answer = await ask("entries", { key: query.key, hex: query.hex, mark: query.mark, from: query.from });
        return [
            table(isLookup ? `${count(answer.entries.length, "value")} of this key` : `${count(answer.entries.length, "record")}${answer.next === null ? "" : ", more follow"}`, [
                { title: "Key", cell: (row) => h("a", { href: link(row) }, value(row.key)) },
                { title: "Value", cell: (row) => value(row.value, undefined, isLookup) },
                { title: "Bytes", numeric: true, cell: (row) => number(row.bytes) },
            ], answer.entries, { open: link }),
            pager(query.from || isLookup ? () => history.back() : null, answer.next !== null ? () => { location.hash = place(["records"], { from: answer.next }); } : null),
        ];
    });
}

async function showChains(store) {
    const [statistics, check] = await Promise.all([ask("statistics"), ask("verify")]);
    const records = Number(statistics.records);
    const slots = Number(statistics.table_slots.total);
    const share = (part) => (records ? ` (${((part / records) * 100).toFixed(1)} %)` : "");
    return [
        h("h2", {}, "Chains and fill"),
        facts([
            ["records", number(records)], ["file", bytes(store.bytes)], ["layout", store.layout], ["keys", bytes(statistics.keys.total)],
            ["values", bytes(statistics.values.total)], ["hash tables", number(statistics.tables)], ["slots", number(slots)],
        ]),
        h("h3", {}, "Fill of the hash tables"),
        bars("Fill", [
            { name: "used slots", value: records, text: number(records) },
            { name: "free slots", value: slots - records, text: number(slots - records), kind: "rest" },
        ]),
        h("h3", {}, "Slots between where a key belongs and where it is"),
        bars("Distances", statistics.distances.map((part, place) => ({ name: place === 10 ? "10 or more" : String(place), value: Number(part), text: number(part) + share(Number(part)) }))),
        h("h3", {}, "Damage"),
        check.intact ? h("p", { class: "good" }, "None: records and hash tables match.") : h("p", { class: "bad" }, check.message),
    ];
}
