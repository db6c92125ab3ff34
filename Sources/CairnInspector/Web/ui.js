// Elements of the page. What comes from a store becomes text here, never markup.

/** An element. Attributes that are functions listen to events; `null` and `false` are left out. */
export function h(name, attributes = {}, ...children) {
    return fill(document.createElement(name), attributes, children);
}

/** The same for drawings. */
export function svg(name, attributes = {}, ...children) {
    return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(name, value);
        else if (value !== null && value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
}

export const number = (value) => Number(value).toLocaleString("en");

/** A number with its noun: "1 entry", "2 entries". */
export const count = (value, one, many = `${one}s`) => `${number(value)} ${Number(value) === 1 ? one : many}`;

export function bytes(value) {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let unit = 0;
    for (value = Number(value); value >= 1024 && unit < units.length - 1; unit += 1) value /= 1024;
    return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** The link to a place in the page, with parameters; `null` and `undefined` are left out, while the empty text may be a key. */
export function place(parts, query = {}) {
    const fields = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
    const text = new URLSearchParams(fields).toString();
    return `#/${parts.map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`;
}

/** What was entered into the fields of a form; those left empty ask for nothing. */
export const entered = (form) => Object.fromEntries([...new FormData(form)].filter(([, text]) => text !== ""));

/** What a store holds, as the server shows it: text, hexadecimal digits, objects. */
export function value(shown, labels = (id) => id, alone = false) {
    if (shown === null) return h("span", { class: "nil" }, "nil");
    if (shown.objects) {
        const rest = shown.one ? 0 : shown.count - shown.objects.length;
        const chips = shown.objects.map((id, index) => {
            const key = shown.keys ? `${shown.keys[index]}: ` : "";
            return h("a", { class: "chip", href: place(["object", id]) }, key + labels(id));
        });
        if (!shown.one && shown.count === 0) return h("span", { class: "nil" }, "none");
        return h("span", {}, chips, rest > 0 ? h("span", { class: "quiet" }, ` and ${number(rest)} more`) : null);
    }
    const text = shown.text ?? shown.hex;
    if (text === "") return h("span", { class: "nil" }, "empty");
    const cut = shown.size !== undefined && (shown.text !== undefined || shown.hex.length < shown.size * 2);
    const name = `value${shown.hex !== undefined ? " hex" : ""}${alone ? " alone" : ""}`;
    return h(
        "span",
        { class: name, title: shown.hex !== undefined ? "bytes, as hexadecimal digits" : null },
        text,
        cut ? h("span", { class: "quiet" }, ` … ${bytes(shown.size)}`) : null,
    );
}

/**
 * A table whose rows can be reached with the arrow keys and opened with Enter.
 * Columns: {title, cell(row), numeric}; `open(row)` is the link of a row.
 */
export function table(caption, columns, rows, { open, key, fresh } = {}) {
    const body = rows.map((row, index) => {
        const link = open?.(row);
        return h(
            "tr",
            {
                tabindex: index === 0 ? "0" : "-1", "data-link": link,
                class: fresh && key && fresh.has(key(row)) ? "new" : null,
                dblclick: link ? () => { location.hash = link; } : null,
            },
            columns.map((column) => h("td", { class: column.numeric ? "n" : null }, column.cell(row))),
        );
    });
    return h(
        "div",
        { class: "scroll", tabindex: "-1" },
        h(
            "table",
            {},
            h("caption", {}, caption),
            h("thead", {}, h("tr", {}, columns.map((column) => h("th", { scope: "col", class: column.numeric ? "n" : null }, column.title)))),
            h("tbody", {}, body),
        ),
    );
}

/** Links to the next page, and back. */
export function pager(back, next, note) {
    return h(
        "div",
        { class: "pager", role: "group", "aria-label": "Pages" },
        h("button", { type: "button", id: "previous", disabled: !back, click: back ?? null }, "← Previous"),
        h("button", { type: "button", id: "next", disabled: !next, click: next ?? null }, "Next →"),
        h("span", { class: "quiet" }, note ?? ""),
    );
}

/** Figures with their names. */
export function facts(entries) {
    return h("dl", { class: "facts" }, entries.map(([name, figure]) => h("div", { class: "fact" }, h("dt", {}, name), h("dd", {}, figure))));
}

export function tabs(entries, current) {
    return h(
        "div",
        { class: "tabs", role: "navigation", "aria-label": "Views" },
        entries.map(([title, link]) => h("a", { href: link, "aria-current": title === current ? "page" : null }, title)),
    );
}

/** Horizontal bars: {name, value, text, parts: [sizes], kind}. */
export function bars(title, rows) {
    const most = Math.max(1, ...rows.map((row) => row.value));
    const [left, width, step] = [150, 560, 24];
    const marks = rows.map((row, index) => {
        const y = index * step;
        let x = left;
        const parts = (row.parts ?? [row.value]).map((part) => {
            const length = (part / most) * width;
            const rect = svg("rect", { class: row.kind ?? "bar", x, y: y + 4, width: Math.max(length - (length > 3 ? 1 : 0), part > 0 ? 1 : 0), height: step - 8, rx: 1 });
            x += length;
            return rect;
        });
        return svg("g", {}, svg("text", { x: 0, y: y + 16 }, row.name), parts, svg("text", { x: x + 6, y: y + 16, class: "quiet" }, row.text));
    });
    const label = `${title}: ${rows.map((row) => `${row.name} ${row.text}`).join(", ")}`;
    return svg("svg", { class: "drawing", viewBox: `0 0 860 ${Math.max(rows.length, 1) * step}`, role: "img", "aria-label": label }, marks);
}

/** A curve of figures over time. */
export function curve(title, points, format) {
    const [width, height] = [240, 56];
    const [least, most] = [Math.min(...points), Math.max(...points)];
    const x = (index) => (points.length < 2 ? width : (index / (points.length - 1)) * width);
    const y = (point) => (most === least ? height / 2 : height - 4 - ((point - least) / (most - least)) * (height - 8));
    const line = points.map((point, index) => `${x(index).toFixed(1)},${y(point).toFixed(1)}`).join(" ");
    const now = format(points[points.length - 1] ?? 0);
    return h(
        "div",
        { class: "fact" },
        h("div", { class: "quiet" }, title),
        h("div", {}, now),
        svg("svg", { class: "drawing", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title} over time, now ${now}` }, svg("polyline", { class: "curve", points: line })),
    );
}
