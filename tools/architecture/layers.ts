// The layers of src and the arrows between them. The architecture test holds every import to them, and the picture and
// the table of folders in docs/house.md are written from them.

export interface Layer {
  /** Folder or file below src, without its extension. A folder inside another layer is a layer of its own. */
  readonly name: string;
  /** What lives there, in one sentence. */
  readonly about: string;
  /** Layers that it may import, itself aside; `all` for what puts the service together. */
  readonly mayImport: readonly string[] | "all";
}

/** Every layer, in the order of a request. */
export const layers: readonly Layer[] = [
  {
    name: "process",
    about: "processes: a service of one process, a gateway or a deliverer of its own, the core, background jobs",
    mayImport: "all",
  },
  { name: "cli", about: "the commands", mayImport: "all" },
  {
    name: "gateway",
    about: "REST: routes and what they need, by noun; OpenAPI. Depends only on a `Core`",
    mayImport: ["transport/http", "json", "limits", "kernel", "gen"],
  },
  {
    name: "pages",
    about: "the hosted pages. Depends only on a `Core`",
    mayImport: ["transport/http", "presentation", "json", "limits", "kernel", "gen"],
  },
  {
    name: "docs-site",
    about: "the documentation as pages: guides, reference, problems, search",
    mayImport: ["transport/http", "kernel"],
  },
  {
    name: "transport/http",
    about: "the HTTP port that REST, pages and Connect share: server, problems, bodies, sending, health",
    mayImport: ["limits", "kernel", "gen"],
  },
  {
    name: "transport/grpc",
    about: "the gRPC port: server, streams, messages that arrive",
    mayImport: ["limits", "kernel", "gen"],
  },
  {
    name: "transport/connect",
    about: "Connect and gRPC-Web on the HTTP port",
    mayImport: ["transport/http", "transport/grpc", "json", "limits", "kernel"],
  },
  {
    name: "transport/remote-core",
    about: "a core in another process, as a gateway of its own calls it",
    mayImport: ["kernel", "gen"],
  },
  {
    name: "pipeline",
    about: "what every call passes: interceptors, limits, authentication",
    mayImport: ["store", "domain", "json", "limits", "kernel", "gen"],
  },
  {
    name: "services",
    about: "implementations of the protos, by noun, and the use cases that jobs and commands share with them",
    mayImport: ["pipeline", "store", "domain", "products/product", "json", "kernel", "gen"],
  },
  {
    name: "domain",
    about:
      "rules, by noun; also the queue of writes and the audit trail, which wait. Clock and randomness are arguments",
    mayImport: ["products/product", "limits", "kernel", "gen"],
  },
  {
    name: "products/product",
    about: "the interface of a product, in types of `values-bridge`",
    mayImport: [
      "products/values-bridge/values-bridge",
      "products/values-bridge/messages",
      "products/values-bridge/report",
      "products/values-bridge/definition",
      "products/values-bridge/groups",
      "products/values-bridge/norms",
      "products/values-bridge/quality",
      "products/values-bridge/scoring",
    ],
  },
  {
    name: "products/values-bridge/values-bridge",
    about: "`values-bridge` as that product; only `process` and `cli` create it",
    mayImport: [
      "products/values-bridge/messages",
      "products/values-bridge/report-rendering",
      "products/values-bridge/report",
      "products/values-bridge/definition",
      "products/values-bridge/groups",
      "products/values-bridge/norms",
      "products/values-bridge/personas",
      "products/values-bridge/quality",
      "products/values-bridge/scoring",
      "kernel",
    ],
  },
  {
    name: "products/values-bridge/definition",
    about: "the instrument as data, its format, its checks",
    mayImport: ["products/values-bridge/quality", "products/values-bridge/scoring", "json", "kernel", "gen"],
  },
  {
    name: "products/values-bridge/quality",
    about: "pure functions: how far the results of a session can be trusted",
    mayImport: ["products/values-bridge/scoring", "json", "gen"],
  },
  {
    name: "products/values-bridge/norms",
    about: "pure functions: statistics of many people, and when they may be published",
    mayImport: ["products/values-bridge/quality", "products/values-bridge/scoring", "json", "gen"],
  },
  {
    name: "products/values-bridge/groups",
    about: "pure functions: numbers of a closed group, without those that would reveal one member",
    mayImport: ["products/values-bridge/quality", "products/values-bridge/scoring", "json", "gen"],
  },
  {
    name: "products/values-bridge/personas",
    about: "pure functions: answers of simulated people, for test data",
    mayImport: ["products/values-bridge/scoring"],
  },
  {
    name: "products/values-bridge/messages",
    about: "results, explanations, reports and scoring data of questions, as messages",
    mayImport: [
      "products/values-bridge/report",
      "products/values-bridge/definition",
      "products/values-bridge/norms",
      "products/values-bridge/quality",
      "products/values-bridge/scoring",
      "json",
      "gen",
    ],
  },
  {
    name: "products/values-bridge/report",
    about: "results for people: the report model, its words, its drawings; JSON and HTML; the port of renderers",
    mayImport: [
      "products/values-bridge/definition",
      "products/values-bridge/groups",
      "products/values-bridge/quality",
      "products/values-bridge/scoring",
      "presentation",
      "kernel",
      "json",
      "gen",
    ],
  },
  {
    name: "products/values-bridge/report-rendering",
    about: "that port: PDF, PNG and SVG, in a thread of their own",
    mayImport: ["products/values-bridge/report", "limits", "kernel"],
  },
  { name: "products/values-bridge/scoring", about: "pure functions: answers to results", mayImport: ["json", "gen"] },
  {
    name: "store",
    about: "stored data, by noun: statements, and rows as values of the domain",
    mayImport: ["database", "domain", "kernel"],
  },
  {
    name: "database",
    about: "the pool of connections, statements and their time limits, migrations",
    mayImport: ["kernel"],
  },
  { name: "database/embedded", about: "the private MariaDB of a data folder", mayImport: [] },
  {
    name: "webhooks",
    about: "sends webhooks: what is sent when, signatures, and where they may go",
    mayImport: ["services", "store", "domain", "kernel"],
  },
  { name: "jobs", about: "the runner of background work", mayImport: ["store", "kernel"] },
  {
    name: "telemetry",
    about: "log, metrics and traces",
    mayImport: ["config", "jobs", "database", "limits", "kernel"],
  },
  { name: "config", about: "the variables of the environment, and what they may be", mayImport: ["database"] },
  {
    name: "json",
    about: "messages as JSON, by the options of the protos: reading, writing, bounds",
    mayImport: ["kernel", "gen"],
  },
  {
    name: "presentation",
    about: "what pages and reports share: phrases, colours, the font",
    mayImport: ["kernel"],
  },
  {
    name: "limits",
    about: "what partners, clients and networks may take: slots, rates, memory, turns of the event loop",
    mayImport: ["kernel"],
  },
  {
    name: "kernel",
    about: "what all layers agree on: calls, errors, formats, languages",
    mayImport: ["gen"],
  },
  { name: "main", about: "argv to a command", mayImport: "all" },
  { name: "gen", about: "written by `npm run generate`, committed, never edited", mayImport: [] },
];

// Layers whose folders are nouns, so that `ls -d src/*/webhooks*` shows all of webhooks.
export const layersByNoun: readonly string[] = ["gateway", "services", "domain", "store"];

/** The nouns, each under the same name in every layer; `rest` is what routes of all nouns need. */
export const nouns: readonly string[] = [
  "assessments",
  "audit",
  "events",
  "exports",
  "groups",
  "hosted",
  "identity",
  "jobs",
  "norms",
  "reports",
  "rest",
  "retention",
  "sandbox",
  "sessions",
  "subjects",
  "usage",
  "webhooks",
];

/** The layer of a file below src; undefined if no layer holds it. @param path with slashes, from src on */
export function findLayer(path: string): Layer | undefined {
  const inner = path.replace(/^src\//, "").replace(/\.[jt]s$/, "");
  const holding = layers.filter(({ name }) => inner === name || inner.startsWith(`${name}/`));
  return holding.toSorted((one, other) => other.name.length - one.name.length)[0];
}

/** Whether a file of one layer may import one of the other. */
export function mayImport(from: Layer, to: Layer): boolean {
  return from === to || from.mayImport === "all" || from.mayImport.includes(to.name);
}
