// The frame of the page: where one is, keys, news.
import { ask, Fault, leave, listen } from "./api.js";
import { drawHistory, startEditing } from "./edit.js";
import { h } from "./ui.js";
import * as objects from "./objects.js";
import * as rocks from "./rocks.js";
import * as mapped from "./mapped.js";
import * as cdb from "./cdb.js";

const kinds = { objects, rocks, mapped, cdb };
const element = (id) => document.getElementById(id);
let store = null;
let shown = 0;

/** The parts of the address after `#`, and its parameters. */
function address() {
    const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
    return { parts: path === "" ? [] : path.split("/").map(decodeURIComponent), query: Object.fromEntries(new URLSearchParams(query ?? "")) };
}

function complain(error) {
    if (error.name === "AbortError") return;
    element("message").replaceChildren(error instanceof Fault ? error.message : `The page failed: ${error.message}`);
}

let asked = 0;

/** Asks again what there is, whatever page is shown meanwhile. Of two answers, the one that was asked for last counts. */
async function renew() {
    asked += 1;
    const mine = asked;
    const answer = await ask("store", {}, null);
    if (mine !== asked) return;
    store = answer;
    document.title = `${store.name} · Cairn Inspector`;
    element("place").replaceChildren(store.name);
}

/** Shows where the address leads; `fresh`: what has just changed. */
async function show(fresh) {
    drawHistory(store.editing);
    shown += 1;
    const mine = shown;
    leave();
    element("message").replaceChildren();
    document.body.setAttribute("aria-busy", "true");
    const replace = (content) => { if (mine === shown) element("main").replaceChildren(...content.filter(Boolean)); return mine === shown; };
    let head = [];
    // What `body` answers below the head. If it fails, the head stays alone, to ask something else.
    const below = async (content, body) => { head = content; return [...content, ...(await body())]; };
    try {
        const { parts, query } = address();
        if (!replace(await kinds[store.kind].show(store, parts, query, { fresh, replace, below }))) return;
        drawNavigation();
        if (!fresh) scrollTo(0, 0);
    } catch (error) {
        if (mine !== shown || error.name === "AbortError") return;
        complain(error);
        // What was shown before is no answer to this.
        replace(head);
        drawNavigation();
    } finally {
        if (mine === shown) document.body.removeAttribute("aria-busy");
        document.body.dataset.shown = String(shown);
    }
}

function drawNavigation() {
    const entries = kinds[store.kind].contents(store);
    const current = location.hash || entries[0]?.links[0]?.link;
    const isCurrent = (link) => current === link || current.startsWith(`${link}?`) || current.startsWith(`${link}/`);
    element("nav").replaceChildren(
        ...entries.flatMap(({ title, links }) => [
            h("h2", {}, title),
            h("ul", {}, links.map(({ name, link, note }) => h("li", {}, h("a", { href: link, "aria-current": isCurrent(link) ? "page" : null }, name, note ? h("small", {}, note) : null)))),
        ]),
    );
}

// Keys

function rows() {
    return [...element("main").querySelectorAll("tbody tr[tabindex]")];
}

function goTo(row) {
    if (!row) return;
    for (const other of rows()) other.tabIndex = -1;
    row.tabIndex = 0;
    row.focus();
}

const keys = {
    "/": () => element("main").querySelector("input")?.focus(),
    "?": () => element("help").showModal(),
    g: () => element("nav").querySelector("a[aria-current], a")?.focus(),
    ArrowDown: () => goTo(rows()[rows().indexOf(document.activeElement) + 1]),
    ArrowUp: () => goTo(rows()[Math.max(0, rows().indexOf(document.activeElement) - 1)]),
    Home: () => goTo(rows()[0]),
    End: () => goTo(rows().at(-1)),
    e: () => (document.activeElement.closest("tr")?.querySelector("button.edit") ?? element("main").querySelector("button.edit"))?.click(),
    u: () => element("undo").click(),
    r: () => element("redo").click(),
    ArrowRight: () => element("next")?.click(),
    ArrowLeft: () => element("previous")?.click(),
    Enter: () => {
        const link = document.activeElement?.dataset?.link;
        if (!link) return false;
        location.hash = link;
    },
};

document.addEventListener("keydown", (event) => {
    const field = event.target.closest("input, select, textarea");
    if (event.key === "Escape" && field) return field.blur();
    if (field || document.querySelector("dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("a, button") && event.key === "Enter") return;
    const action = keys[event.key];
    if (action && action() !== false) event.preventDefault();
});
element("help-button").addEventListener("click", keys["?"]);

// News

function announce(news) {
    element("live").replaceChildren(`● ${(store && kinds[store.kind].news?.(news)) ?? "changed"}`);
    document.body.dataset.news = String(Number(document.body.dataset.news ?? 0) + 1);
}

let isLost = false;

/** Whether the server says what happens. What happened while it could not is asked for. */
function connect(isOpen) {
    element("live").replaceChildren(isOpen ? "● live" : "not connected");
    if (isOpen && isLost) renewSoon();
    isLost = !isOpen;
}

let waiting = null;
let fresh = new Set();
function hear(news) {
    announce(news);
    for (const name of [...(news.inserted ?? []), ...(news.updated ?? []), ...(news.keys ?? [])]) fresh.add(name);
    renewSoon();
}

/** Asks again, not more often than one can read. */
function renewSoon() {
    waiting ??= setTimeout(async () => {
        const names = fresh;
        waiting = null;
        // What is being entered stays; when the field is left, it is asked again.
        if (isField(document.activeElement)) {
            isLate = true;
            return;
        }
        fresh = new Set();
        await begin(names);
    }, 300);
}

const isField = (target) => element("main").contains(target) && target.matches("input, textarea");
let isLate = false;
document.addEventListener("focusout", (event) => {
    if (!isLate || isField(event.relatedTarget)) return;
    isLate = false;
    renewSoon();
});

/** Asks for the store, and shows where the address leads. What was shown of a store that cannot be read any more is no answer. */
async function begin(fresh) {
    try {
        await renew();
        await show(fresh);
    } catch (error) {
        complain(error);
        if (error.name !== "AbortError") element("main").replaceChildren();
    }
}

window.addEventListener("hashchange", () => (store ? show() : begin()));
startEditing(async (place) => {
    await renew();
    if (place && place !== location.hash) location.hash = place;
    else await show();
}, complain);
await begin();
listen(hear, connect);
