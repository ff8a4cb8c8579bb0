// The suites of the tests, and the commands that run them: `npm run COMMAND -- --only SUITE`.
import { prepareFaults } from "./faults/prepare.ts";
import { prepareOutsiders } from "./outsiders/prepare.ts";
import { provideBrowser } from "./support/browser/provide.ts";
import { startMysql97 } from "./support/databases/servers/mysql97.ts";
import type { Suite } from "./support/run/suite.ts";
import { prepareR } from "./validation/support/prepare.ts";
import { prepareCluster, prepareVtcombo } from "./vitess/prepare.ts";
import { divided } from "./vitess/vtcombo.ts";

const quick: Suite = {
  name: "quick",
  shows: "rules, statements, contract and repository, on MariaDB",
  projects: ["pure", "pure-alone", "mariadb", "mariadb-alone"],
};

/** What breaks: the service, its database and its circumstances. */
const faults: readonly Suite[] = [
  {
    name: "system",
    shows: "the service as processes: started, killed, flooded, without a database",
    projects: ["system"],
  },
  {
    name: "faults",
    shows: "all that can break under load, each row checked afterwards; each incident of the runbook, by its commands",
    projects: ["faults"],
    prepare: prepareFaults,
  },
];

/** All that one machine can run with what apt brings. What fails often and soon comes first. */
const all: readonly Suite[] = [
  quick,
  {
    name: "loop",
    shows: "the worst inputs at every transport hold no event loop for long",
    projects: ["loop"],
  },
  {
    name: "mysql",
    shows: "what asks a database, on MySQL 9.7",
    projects: ["mysql", "mysql-alone"],
    prepare: async () => {
      const mysql = await startMysql97({ log: (line) => console.log(line) });
      return { environment: { TEST_DATABASE_URL: mysql.url }, finish: () => mysql.stop() };
    },
  },
  {
    name: "pages",
    shows: "hosted pages in a browser, from a gateway of its own too; every report and page looked at",
    projects: ["web", "looks", "web-split"],
  },
  {
    name: "firefox",
    shows: "hosted pages in Firefox too",
    projects: ["web-firefox"],
    prepare: async () => {
      await provideBrowser("firefox");
      return {};
    },
  },
  {
    name: "deploy",
    shows: "what is in deploy/: image, proxy, manifests, alerts, dashboard",
    projects: ["deploy", "deploy-alone"],
  },
  ...faults,
  {
    name: "validation",
    shows: "the validation kit on made-up people, and what R and Python read of exports",
    projects: ["validation"],
    prepare: prepareR,
  },
  {
    name: "histories",
    shows: "long random histories of sessions, groups, cursors, deliveries and norms, half an hour",
    projects: ["histories"],
    isFullOnly: true,
  },
];

const cluster: readonly Suite[] = [
  {
    name: "one-shard",
    shows: "the store and the contract through Vitess, on one shard",
    projects: ["vitess", "vitess-alone"],
    prepare: () => prepareVtcombo(),
  },
  {
    name: "shards",
    shows: "the contract and the plan of every statement on two keyspaces and four shards",
    projects: ["vitess-shards"],
    prepare: () => prepareVtcombo(divided),
  },
  {
    name: "cluster",
    shows: "a cluster of Vitess whose parts are killed and whose shards are divided",
    projects: ["vitess-cluster"],
    prepare: prepareCluster,
  },
];

const outsiders: readonly Suite[] = [
  {
    name: "outsiders",
    shows:
      "the service judged by Newman, schemathesis, grpcurl and h2spec, its PDFs by veraPDF, its documents by generators",
    config: "test/outsiders/vitest.config.ts",
    prepare: prepareOutsiders,
  },
];

/** The commands of package.json, each with its suites. */
export const commands: Readonly<Record<string, readonly Suite[]>> = {
  test: [quick],
  "test:all": all,
  "test:faults": faults,
  "test:cluster": cluster,
  "test:outsiders": outsiders,
};

/** Suites of a command with the first other command that runs each suite which this one does not. */
export function leftOut(command: string): ReadonlyMap<string, readonly string[]> {
  const own = new Set((commands[command] ?? []).map(({ name }) => name));
  const others = new Map<string, readonly string[]>();
  for (const [other, suites] of Object.entries(commands)) {
    const names = suites.map(({ name }) => name).filter((name) => !own.has(name));
    for (const name of names) own.add(name);
    if (names.length > 0) others.set(other, names);
  }
  return others;
}
