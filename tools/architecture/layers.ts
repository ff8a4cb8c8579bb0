// The rooms of src and the arrows between them. The architecture test holds every import to them, and the table of
// folders in CONTRIBUTING.md is written from them.

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
  { name: "rules", about: "what is wrong with a request, as far as the request itself tells", mayImport: [] },
  {
    name: "http",
    about: "the HTTP port that REST, pages and Connect share: server, problems, bodies, sending, health",
    mayImport: ["contract", "rules"],
  },
  {
    name: "gateway",
    about: "REST: routes, shapes of bodies, OpenAPI. Holds a `Core` and nothing deeper",
    mayImport: ["http", "site", "values-bridge/json", "contract", "rules", "gen"],
  },
  {
    name: "site",
    about: "the documentation as pages: guides, reference, problems, search",
    mayImport: ["http", "contract"],
  },
  {
    name: "web",
    about: "the hosted pages. Holds a `Core` and nothing deeper",
    mayImport: ["http", "contract", "gen"],
  },
  {
    name: "contract",
    about: "what doors and core agree on: calls, refusals, error table, scopes, metadata, languages, accents",
    mayImport: ["rules", "gen"],
  },
  {
    name: "rpc",
    about: "the pipeline: interceptors and services; the gRPC and Connect doors",
    mayImport: [
      "http",
      "domain",
      "values-bridge/messages",
      "values-bridge/report",
      "values-bridge/definition",
      "contract",
      "rules",
      "gen",
    ],
  },
  {
    name: "domain",
    about: "rules and use cases, and the Store port. Clock and randomness are arguments",
    mayImport: [
      "rules",
      "values-bridge/norms",
      "values-bridge/personas",
      "values-bridge/quality",
      "values-bridge/report",
      "values-bridge/results",
      "values-bridge/definition",
      "values-bridge/scoring",
    ],
  },
  {
    name: "values-bridge/definition",
    about: "the instrument as data, its format, its checks",
    mayImport: ["values-bridge/quality", "values-bridge/scoring"],
  },
  {
    name: "values-bridge/quality",
    about: "pure functions: what the results of a session are worth",
    mayImport: ["values-bridge/scoring"],
  },
  {
    name: "values-bridge/norms",
    about: "pure functions: what the answers of many people say, and when that may be told",
    mayImport: ["values-bridge/quality", "values-bridge/results", "values-bridge/scoring"],
  },
  {
    name: "values-bridge/personas",
    about: "pure functions: what made-up people answer, for test data",
    mayImport: ["values-bridge/scoring"],
  },
  {
    name: "values-bridge/results",
    about: "results as the store keeps them, and beside their explanation",
    mayImport: ["values-bridge/scoring"],
  },
  {
    name: "values-bridge/messages",
    about: "results, explanations, reports and what questions say of values, as messages",
    mayImport: [
      "values-bridge/report",
      "values-bridge/definition",
      "values-bridge/norms",
      "values-bridge/quality",
      "values-bridge/results",
      "values-bridge/scoring",
      "gen",
    ],
  },
  {
    name: "values-bridge/json",
    about: "the same as JSON of the interface, with its schemas",
    mayImport: ["http", "gen"],
  },
  {
    name: "values-bridge/report",
    about: "results for people: the report model, its words, its drawings; JSON, HTML and SVG; the port of renderers",
    mayImport: ["values-bridge/definition", "values-bridge/scoring", "contract"],
  },
  {
    name: "report-rendering",
    about: "that port: PDF and PNG, in a thread of their own",
    mayImport: ["values-bridge/report", "contract"],
  },
  { name: "values-bridge/scoring", about: "pure functions: answers to results", mayImport: [] },
  {
    name: "store",
    about: "the Store port over Knex; migrations",
    mayImport: ["domain"],
  },
  {
    name: "webhooks",
    about: "sends webhooks: leases, retries, signatures, and where they may go",
    mayImport: ["domain", "contract", "rules"],
  },
  { name: "jobs", about: "the runner of background work, and leases of jobs", mayImport: ["domain"] },
  { name: "embedded-database", about: "the private MariaDB or MySQL of a data folder", mayImport: [] },
  { name: "telemetry", about: "log, metrics and traces", mayImport: ["config", "contract", "jobs", "store"] },
  { name: "config", about: "the only reader of the environment", mayImport: [] },
  { name: "app", about: "the composition root of a process with a pipeline", mayImport: "all" },
  {
    name: "background-jobs",
    about: "every background job of the service",
    mayImport: ["jobs", "domain", "config", "core"],
  },
  {
    name: "event-sequencer",
    about: "the sequencer of events, on a connection of its own",
    mayImport: ["domain", "store"],
  },
  {
    name: "webhook-deliverer",
    about: "the deliverer of webhooks, over the stores",
    mayImport: ["domain", "store", "webhooks", "webhook-parts"],
  },
  {
    name: "webhook-parts",
    about: "keys, addresses and connections of webhooks",
    mayImport: ["config", "domain", "webhooks"],
  },
  { name: "deliver-app", about: "the composition root of a process that delivers webhooks", mayImport: "all" },
  { name: "gateway-app", about: "the composition root of a gateway of its own", mayImport: "all" },
  { name: "core", about: "the pipeline over the stores", mayImport: "all" },
  { name: "cli", about: "the commands", mayImport: "all" },
  { name: "main", about: "argv to a command; the only file with effects on import", mayImport: "all" },
  { name: "gen", about: "written by `npm run generate`, committed, never edited", mayImport: [] },
];

/** The layer of a file below src; undefined if no layer holds it. @param path with slashes, from src on */
export function layerOf(path: string): Layer | undefined {
  const inner = path.replace(/^src\//, "").replace(/\.ts$/, "");
  const holding = layers.filter(({ name }) => inner === name || inner.startsWith(`${name}/`));
  return holding.toSorted((one, other) => other.name.length - one.name.length)[0];
}

/** Whether a file of one layer may import one of the other. */
export function mayImport(from: Layer, to: Layer): boolean {
  return from === to || from.mayImport === "all" || from.mayImport.includes(to.name);
}
