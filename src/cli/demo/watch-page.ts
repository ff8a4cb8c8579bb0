// A live page on this machine that shows newcomers the steps of the demo.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the page shows in one card. */
export interface Sight {
  readonly kind: "request" | "webhook" | "event" | "report";
  readonly title: string;
  /** JSON or text; for a report an SVG. */
  readonly text: string;
  readonly link?: string;
}

export interface WatchPage extends AsyncDisposable {
  readonly url: string;
  /** Settles when somebody has opened the page. */
  readonly opened: Promise<void>;
  /** Sends a card to the page; a viewer who connects later gets all earlier cards. */
  show(sight: Sight): void;
}

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-ancestors 'none'";
const style = `:root{color-scheme:light dark}body{margin:0 auto;padding:1.5rem;max-width:72rem;font:1rem/1.5 system-ui,sans-serif}
main{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(20rem,100%),1fr));gap:1.5rem}h2{font-size:1.1rem}
article{margin:0 0 .75rem;padding:.6rem .8rem;border:1px solid #8a979c;border-left:4px solid #0a6b70;border-radius:.4rem;overflow-wrap:anywhere}
pre{margin:.3rem 0 0;white-space:pre-wrap;font-size:.8rem;max-height:6rem;overflow:auto}#report{grid-column:1/-1}img{max-width:100%;background:#fff}`;
const script = `const source = new EventSource("events");
source.onmessage = ({ data }) => {
  const { kind, title, text, link } = JSON.parse(data);
  const card = document.createElement("article");
  const head = card.appendChild(document.createElement(link ? "a" : "strong"));
  head.textContent = title.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "{id}");
  if (link) head.href = link;
  const body = card.appendChild(document.createElement(kind === "report" ? "img" : "pre"));
  if (kind === "report") { body.alt = title; body.src = "data:image/svg+xml," + encodeURIComponent(text); }
  else { body.tabIndex = 0; body.textContent = text; }
  document.querySelector("#" + kind).append(card);
};
source.addEventListener("end", () => { source.close(); document.querySelector("#state").textContent =
  document.querySelector("#report img") ? "That was all." : "It ended early; the terminal says why."; });`;
const column = (id: Sight["kind"], heading: string) =>
  `<section id="${id}" aria-live="polite"><h2>${heading}</h2></section>`;
const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The demo, live</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="style.css"><script type="module" src="script.js"></script></head>
<body><header><h1>One whole assessment</h1><p id="state" role="status">It is being played now.</p></header>
<main>${column("report", "The person's report")}${column("request", "Requests to the service")}${column("webhook", "Webhooks that came back")}${column("event", "Events in the feed")}</main></body></html>`;
const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
  "/": ["text/html; charset=utf-8", html],
  "/script.js": ["text/javascript; charset=utf-8", script],
  "/style.css": ["text/css; charset=utf-8", style],
};

/** Listens on a free port of this machine until it is disposed of; viewers keep what they were shown. */
export async function openWatchPage(): Promise<WatchPage> {
  const sights: Sight[] = [];
  const viewers = new Set<ServerResponse>();
  const opened = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    // Against DNS rebinding: other sites cannot read the page under a name of theirs.
    const isOwn = /^127\.0\.0\.1:\d+$/.test(request.headers.host ?? "");
    const file = files[request.url ?? ""];
    response.setHeader("content-security-policy", policy);
    if (isOwn && request.url === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      for (const sight of sights) response.write(eventOf(sight));
      viewers.add(response);
      response.once("close", () => viewers.delete(response));
      opened.resolve();
    } else if (isOwn && file !== undefined) {
      response.writeHead(200, { "content-type": file[0] }).end(file[1]);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    opened: opened.promise,
    show(sight) {
      sights.push(sight);
      for (const viewer of viewers) viewer.write(eventOf(sight));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(
        [...viewers].map((viewer) => new Promise<void>((onEnd) => viewer.end("event: end\ndata: \n\n", onEnd))),
      );
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const eventOf = (sight: Sight) => `data: ${JSON.stringify(sight)}\n\n`;
