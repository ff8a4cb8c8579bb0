// The folders of test. A test holds the list to what is there, and a table in docs/house.md is written from it.

export interface TestFolder {
  /** Folder below test. */
  readonly name: string;
  /** What its files show, in one sentence. */
  readonly about: string;
}

/** Every folder, from the inner parts to the whole, then what tests are made of. */
export const testFolders: readonly TestFolder[] = [
  { name: "values-bridge", about: "the product: definitions, scoring, quality, norms, simulated people, reports" },
  { name: "report-rendering", about: "reports as PDF, PNG and SVG" },
  { name: "domain", about: "rules and use cases that need no database" },
  { name: "kernel", about: "what all layers agree on: protos, error table, options of rpcs, presentation" },
  { name: "limits", about: "slots, rates, memory and turns, each by itself" },
  { name: "webhooks", about: "which endpoints get connections, before any is made" },
  { name: "telemetry", about: "log, metrics and traces" },
  { name: "jobs", about: "the runner of background work" },
  { name: "database", about: "the database of a data folder: its start, its end, its lock" },
  { name: "store", about: "every statement, on a real database: its effect, its plan, and concurrent writes" },
  { name: "pipeline", about: "calls at their limits, and what they wait for" },
  { name: "services", about: "implementations of the protos, over gRPC" },
  { name: "transport", about: "the HTTP port, the gRPC port, and a core on another machine" },
  { name: "gateway", about: "what REST alone has: documents, files, forms" },
  { name: "e2e", about: "cases that run over every transport, and what several parts of the service do together" },
  {
    name: "journeys",
    about: "whole assessments: every form, mode, language, persona and document, over every transport and client",
  },
  { name: "cli", about: "`pas` and the package, as an operator uses them" },
  { name: "pages", about: "hosted pages and the site, in a browser" },
  { name: "security", about: "hostile callers: the ten risks of OWASP, bytes that do not fit, clients that never end" },
  { name: "loop", about: "the worst inputs at every transport, and how long they hold the event loop" },
  {
    name: "faults",
    about: "all that can break under load, each row checked afterwards; each incident of the runbook, by its commands",
  },
  { name: "validation", about: "the kit for evidence from exports, on simulated people with known true values" },
  { name: "outsiders", about: "the service as seen by clients and test tools of other people" },
  {
    name: "vitess",
    about: "the store and the contract through Vitess, the plan of every statement on shards, a cluster that breaks",
  },
  { name: "deploy", about: "what is in `deploy/`, and the snippets of the documentation" },
  { name: "bench", about: "the cost of everything" },
  { name: "repository", about: "imports follow the layers, and documents match the code" },
  { name: "vectors", about: "worked cases as files, for every implementation of the formulas" },
  { name: "support", about: "what tests share: services, transports, databases, browsers, instruments" },
];
