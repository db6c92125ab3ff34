// Questions to the server. The token is in the path of the page, so relative addresses have it.

export class Fault extends Error {}

async function read(response) {
    const answer = await response.json().catch(() => ({ error: `The server answered ${response.status}.` }));
    if (!response.ok) throw new Fault(answer.error ?? `The server answered ${response.status}.`);
    return answer;
}

let last = new AbortController();

/** Ends the questions of the page that was shown before. */
export function leave() {
    last.abort();
    last = new AbortController();
}

export async function ask(question, query = {}) {
    const fields = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
    return read(await fetch(`api/${question}?${new URLSearchParams(fields)}`, { signal: last.signal }));
}

/** Calls `body` with each of the server's events, until the store or the page is closed. */
export function listen(body, state) {
    const source = new EventSource("events");
    source.onopen = () => state(true);
    source.onerror = () => state(false);
    source.onmessage = (event) => body(JSON.parse(event.data));
}
