// Questions to the server. The token is in the path of the page, so relative addresses have it.

export class Fault extends Error {}

async function read(response) {
    // That a question was ended while its answer came is not an answer.
    if (response.ok) return response.json();
    const answer = await response.json().catch(() => ({}));
    throw new Fault(answer.error ?? `The server answered ${response.status}.`);
}

let last = new AbortController();

/** Ends the questions of the page that was shown before. */
export function leave() {
    last.abort();
    last = new AbortController();
}

export async function ask(question, query = {}, signal = last.signal) {
    const fields = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
    return read(await fetch(`api/${question}?${new URLSearchParams(fields)}`, { signal }));
}

/** Shows, makes, undoes or redoes an edit. It is not ended when the page is left. */
export async function change(command, edit = {}) {
    return read(await fetch(`api/${command}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(edit) }));
}

/** Calls `body` with each of the server's events, until the store or the page is closed, and `state` with whether there is a connection. */
export function listen(body, state) {
    if (typeof SharedWorker === "undefined") return listenWhileVisible(body, state);
    const worker = new SharedWorker("events.js");
    worker.addEventListener("error", () => listenWhileVisible(body, state), { once: true });
    worker.port.onmessage = ({ data }) => {
        if (data.news !== undefined) body(data.news);
        else state(data.isOpen);
    };
}

/** With a connection of the page's own, where there are no shared workers, as on some phones: hidden pages leave it to others. */
function listenWhileVisible(body, state) {
    let source = null;
    const follow = () => {
        if (document.hidden) {
            source?.close();
            source = null;
            state(false);
        } else if (!source) {
            source = new EventSource("events");
            source.onopen = () => state(true);
            source.onerror = () => state(false);
            source.onmessage = (event) => body(JSON.parse(event.data));
        }
    };
    document.addEventListener("visibilitychange", follow);
    follow();
}
