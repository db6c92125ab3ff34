// A shared worker: all pages of a browser listen over one connection, since browsers open only six to a server, and pages beyond that would never load.
const ports = new Set();
const source = new EventSource("events");
const tell = (message) => { for (const port of ports) port.postMessage(message); };

source.onopen = () => tell({ isOpen: true });
source.onerror = () => tell({ isOpen: false });
source.onmessage = (event) => tell({ news: JSON.parse(event.data) });

self.onconnect = ({ ports: [port] }) => {
    ports.add(port);
    port.onclose = () => ports.delete(port);
    // Otherwise the page hears of it as soon as the connection is open.
    if (source.readyState === EventSource.OPEN) port.postMessage({ isOpen: true });
};
