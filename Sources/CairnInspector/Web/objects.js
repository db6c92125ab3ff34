// Object stores: classes, objects, relationships, queries.
import { ask } from "./api.js";
import { editButton, openEditor } from "./edit.js";
import { bars, bytes, count, entered, facts, h, number, pager, place, table, tabs, value } from "./ui.js";

const counts = new Map();

export function contents(store) {
    const classes = store.classes.map((entry) => ({ name: entry.name, link: place(["class", entry.name]), note: counts.has(entry.name) ? number(counts.get(entry.name)) : null }));
    return [
        { title: "Classes", links: classes },
        { title: "Store", links: [{ name: "Names", link: place(["names"]) }] },
    ];
}

export const news = (commit) => (commit.everything ? "changed" : `${commit.inserted_count} new, ${commit.updated_count} changed, ${commit.deleted_count} deleted`);

/** How an object is called: its class and row. */
function label(store, id) {
    const [number, row] = id.split("/");
    return `${store.classes.find((entry) => String(entry.number) === number)?.name ?? `class ${number}`} ${row}`;
}

export async function show(store, parts, query, page) {
    const [first, ...rest] = parts.length ? parts : store.classes.length ? ["class", store.classes[0].name] : ["names"];
    if (first === "object") return showObject(store, rest.join("/"));
    if (first === "names") return showNames(store, query);
    const entry = store.classes.find((candidate) => candidate.name === rest[0]);
    if (first !== "class" || !entry) return [h("h2", {}, "There is no such page")];
    if (query.view === "structure") return showStructure(store, entry);
    return showClass(store, entry, query, page);
}

const views = (entry, query) => [
    ["Objects", place(["class", entry.name], { ...query, view: null })],
    ["Structure and sizes", place(["class", entry.name], { view: "structure" })],
];

function showClass(store, entry, query, { fresh, below }) {
    const question = { class: entry.name, where: query.where, search: query.search, in: query.in, sort: query.sort };
    const isQuery = Boolean(query.where || query.search || query.sort);
    const properties = entry.properties.filter((property) => !property.gone);
    const columns = [
        { title: "Row", numeric: true, cell: (row) => h("a", { href: place(["object", row.id]) }, row.id.split("/")[1]) },
        ...properties.map((property) => ({
            title: property.name,
            cell: (row) => {
                const field = row.values.find((field) => field.name === property.name);
                return field ? value(field.value, (id) => label(store, id)) : h("span", { class: "nil" }, "not stored");
            },
        })),
    ];
    const go = (position) => { location.hash = place(["class", entry.name], { ...query, from: null, offset: null, ...position }); };
    const isLater = query.from || query.offset;
    const head = [
        h("h2", {}, entry.name),
        tabs(views(entry, query), "Objects"),
        store.editing ? editButton(`New ${entry.name}`, `Add a ${entry.name}`, () => addObject(entry)) : null,
        queryForm(store, entry, query, question),
    ];
    return below(head, async () => {
        const [answer, plan] = await Promise.all([
            ask("objects", { ...question, from: query.from, offset: query.offset }),
            isQuery ? ask("explain", question) : null,
        ]);
        const next = answer.next === null ? null : () => go({ [answer.by]: answer.next });
        const caption = answer.objects.length === 0 ? (isQuery ? "Nothing matches" : "No objects") : `${count(answer.objects.length, "object")}${answer.next === null ? "" : ", more follow"}`;
        countObjects(entry.name, isQuery ? null : answer, query);
        return [
            plan ? drawPlan(plan, entry) : null,
            h("div", { id: "count", role: "status" }),
            ...answer.faults.map((fault) => h("p", { class: fault.shredded ? "quiet" : "bad" }, fault.message)),
            table(caption, columns, answer.objects, { open: (row) => place(["object", row.id]), key: (row) => row.id, fresh }),
            pager(isLater ? () => history.back() : null, next),
        ];
    });
}

/** Classes that fit on their first page are counted by it. */
function countObjects(name, answer, query) {
    if (answer && answer.next === null && !query.from) counts.set(name, answer.objects.length);
}

function queryForm(store, entry, query, question) {
    const field = (name, title, hint, className) =>
        h("label", { class: className }, title, h("input", { name, value: query[name] ?? "", placeholder: hint, autocomplete: "off", spellcheck: "false", class: "wide" }));
    const submit = (event) => {
        event.preventDefault();
        const target = place(["class", entry.name], entered(event.target));
        if (target === location.hash) window.dispatchEvent(new HashChangeEvent("hashchange"));
        else location.hash = target;
    };
    const countAll = async () => {
        const place = document.getElementById("count");
        place.replaceChildren("Counting …");
        const answer = await ask("count", question);
        if (!question.where && !question.search) counts.set(entry.name, answer.count);
        place.replaceChildren(count(answer.count, "object"));
    };
    return h(
        "form",
        { class: "ask", submit, role: "search", "aria-label": `Find objects of ${entry.name}` },
        field("where", "Condition", "year >= 1985 and artist = \"Katrina\""),
        field("search", "Full text", "sun*"),
        field("in", "in", "title", "small"),
        field("sort", "Sort", "year,-title", "small"),
        h("button", {}, "Find"),
        h("button", { type: "button", id: "count-button", click: () => countAll().catch((error) => document.getElementById("message").replaceChildren(error.message)) }, "Count"),
    );
}

/** How the objects are found, as boxes from left to right. */
function drawPlan(plan, entry) {
    const box = (title, text, isSlow) => h("div", { class: isSlow ? "slow" : null }, h("b", {}, title), text);
    const arrow = () => h("div", { class: "arrow", "aria-hidden": "true" }, "→");
    const isScan = !entry.indexes.length || /^all /.test(plan.access);
    const boxes = [box("read", `${plan.access}`, isScan), box("looked at", `${plan.more ? "at least " : ""}${number(plan.examined)}`)];
    if (plan.filter) boxes.push(box("tested", plan.filter));
    boxes.push(box("order", plan.order));
    return h("div", { class: "plan", role: "img", "aria-label": `Plan: ${plan.access}; ${plan.filter ? `tested: ${plan.filter}; ` : ""}order: ${plan.order}` }, boxes.flatMap((one, index) => (index ? [arrow(), one] : [one])));
}

async function showStructure(store, entry) {
    const properties = table("Properties", [
        { title: "Property", cell: (row) => row.name },
        { title: "Type", cell: (row) => row.type },
        { title: "", cell: (row) => (row.gone ? h("span", { class: "quiet" }, "removed from the class") : "") },
    ], entry.properties);
    const head = [h("h2", {}, entry.name), tabs(views(entry, {}), "Structure and sizes")];
    const size = await ask("size", { class: entry.name });
    counts.set(entry.name, size.objects);
    const parts = [
        { name: "pages", value: size.page_bytes, text: `${bytes(size.page_bytes)}, ${count(size.pages, "page")}` },
        { name: "large objects", value: size.large_bytes, text: `${bytes(size.large_bytes)}, ${number(size.large)}` },
        { name: "parts of values", value: size.part_bytes, text: `${bytes(size.part_bytes)}, ${number(size.parts)}` },
        ...size.indexes.map((index, place) => ({ name: `index ${entry.indexes[place]?.properties.join(", ") ?? ""}`.slice(0, 24), value: index.bytes, text: `${bytes(index.bytes)}, ${count(index.count, "entry", "entries")}`, kind: "waste" })),
        ...size.texts.map((text) => ({ name: "text index", value: text.bytes, text: `${bytes(text.bytes)}, ${count(text.count, "entry", "entries")}`, kind: "waste" })),
    ];
    return [
        ...head,
        facts([["objects", number(size.objects)], ["average", `${Math.round(size.average)} B`], ["version", String(entry.version)], ["number", String(entry.number)]]),
        h("h3", {}, "Sizes, before compression"),
        bars("Sizes", parts),
        h("h3", {}, "Properties"),
        properties,
        h("h3", {}, "Indexes"),
        entry.indexes.length
            ? table("Indexes", [
                { title: "Properties", cell: (row) => row.properties.join(", ") },
                { title: "", cell: (row) => [row.unique ? "unique" : "", row.complete ? "" : " incomplete"] },
            ], entry.indexes)
            : h("p", { class: "quiet" }, "None: every query reads all objects."),
    ];
}

const editedField = (field) => ({
    name: field.name, title: field.name, note: field.type, text: field.text ?? "", isNil: field.nil, canBeNil: field.nullable,
});

async function addObject(entry) {
    // For the dialog: the page may be drawn again meanwhile.
    const answer = await ask("fields", { class: entry.name }, null);
    const fields = answer.fields.filter((field) => !field.derived && (field.required || field.nullable)).map((field) => ({ ...editedField(field), isNil: !field.required }));
    const values = (entered) => Object.fromEntries(Object.entries(entered).filter(([, text]) => text !== null));
    const newPlace = (answer) => {
        const made = answer.effects.find((effect) => effect.kind === "insert");
        return made ? place(["object", made.id]) : null;
    };
    openEditor(`New ${entry.name}`, fields, (entered) => ({ insert: { class: entry.name, values: values(entered) } }), { place: newPlace, verb: "Add" });
}

function editObject(id, title, field) {
    openEditor(`${field.name} of ${title}`, [{ ...editedField(field), rows: 3 }], (entered) => ({ set: { object: id, property: field.name, text: entered[field.name] } }));
}

function deleteObject(id, title, entry) {
    openEditor(`Delete ${title}`, [], () => ({ delete: { object: id } }), { place: () => place(["class", entry]), verb: "Delete" });
}

async function showObject(store, id) {
    const [answer, edited] = await Promise.all([ask("object", { id }), store.editing ? ask("fields", { id }) : null]);
    const title = label(store, id);
    const stored = answer.object.values;
    // Those without a value, too.
    const rows = edited ? edited.fields.map((field) => ({ ...field, value: stored.find((one) => one.name === field.name)?.value ?? null })) : stored;
    const edit = (field) => (field.obstacle ? h("span", { class: "quiet" }, field.obstacle) : editButton("Edit", `Edit ${field.name}`, () => editObject(id, title, field)));
    const entry = store.classes.find((candidate) => candidate.name === answer.class);
    const type = (name) => entry?.properties.find((property) => property.name === name)?.type ?? "";
    return [
        h("h2", {}, label(store, id)),
        h("p", { class: "quiet" }, `${id}, version ${answer.version}, saved ${count(answer.changes, "time")}, ${count(answer.bytes, "byte")} · `, h("a", { href: place(["class", answer.class], { from: id.split("/")[1] }) }, `${answer.class} from here`)),
        table("Properties", [
            { title: "Property", cell: (row) => row.name },
            { title: "Type", cell: (row) => h("span", { class: "quiet" }, type(row.name)) },
            { title: "Value", cell: (row) => (row.derived ? h("span", { class: "quiet" }, "the other side of what refers to it") : value(row.value, (id) => label(store, id), true)) },
            edited ? { title: "", cell: (row) => (row.derived ? "" : edit(row)) } : null,
        ].filter(Boolean), rows, { open: (row) => (row.value?.one ? place(["object", row.value.objects[0]]) : null) }),
        edited ? h("p", {}, h("button", { type: "button", id: "delete", click: () => deleteObject(id, title, answer.class) }, `Delete ${title}`)) : null,
        h("h3", {}, "Referred to by"),
        answer.referrers.length
            ? table(`${count(answer.referrer_count, "reference")}${answer.referrer_count > answer.referrers.length ? `, the first ${answer.referrers.length}` : ""}`, [
                { title: "Object", cell: (row) => h("a", { href: place(["object", row.id]) }, label(store, row.id)) },
                { title: "Property", cell: (row) => row.property },
                { title: "Times", numeric: true, cell: (row) => number(row.count) },
            ], answer.referrers, { open: (row) => place(["object", row.id]) })
            : h("p", { class: "quiet" }, "Nothing."),
    ];
}

async function showNames(store, query) {
    const answer = await ask("names", { after: query.after });
    return [
        h("h2", {}, "Names"),
        ...answer.faults.map((fault) => h("p", { class: "bad" }, fault.message)),
        table(answer.names.length ? count(answer.names.length, "name") : "No names", [
            { title: "Name", cell: (row) => row.name },
            { title: "Value", cell: (row) => value(row.value, (id) => label(store, id)) },
        ], answer.names, { open: (row) => (row.value?.one ? place(["object", row.value.objects[0]]) : null) }),
        pager(query.after !== undefined ? () => history.back() : null, answer.next !== null ? () => { location.hash = place(["names"], { after: answer.next }); } : null),
    ];
}
