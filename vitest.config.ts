import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { type Extent, shortForms } from "./test/short-forms.ts";
import { basePath } from "./test/support/processes/base-path.ts";
import { temporaryFolder } from "./test/support/temporary-folder.ts";

// For this process, in which servers are started, and for its workers.
process.env.TMPDIR = temporaryFolder();

// Tests without a database. Those on one run on MariaDB; npm run test:mysql runs them on MySQL as well.
const pure = [
  "test/{*,repository/*}.test.ts",
  "test/{values-bridge,report-rendering,domain,kernel,cli,jobs,telemetry,database}/**/*.test.ts",
];
const onDatabase = ["test/{store,pipeline,services,transport,gateway,e2e,security}/**/*.test.ts"];
/** Hundreds of reports and pages drawn, read back and looked at on every screen. */
const looks = [
  "test/report-rendering/{pdf,png}.test.ts",
  "test/pages/{appearance,docs-site,pictures,report,scale}.test.ts",
];
/** Random histories, each on the database. */
const histories = ["test/store/{group-histories,cursors/*}.test.ts"];
/** The service as processes, which are started, killed, flooded and left without a database. */
const system = [...shortForms.system, "test/store/{events/frozen,server/unavailable}.test.ts"];
/** What is in deploy/, held to the programs that read it. They are Debian's; where one is missing its tests fail. */
const deploy = ["test/deploy/**/*.test.ts"];
/** No call of many may fail, and what is scraped each second has to be there: nothing runs beside these. */
const deployAlone = ["test/deploy/{monitoring,rolling-restart}.test.ts"];
/** Bytes that are refused before a database is asked, and processes beside it: one server shows as much as two. */
const beforeDatabase = [
  "test/security/{arriving-bodies,hostile-grpc,hostile-inputs,one-pass,slow-clients}.test.ts",
  "test/transport/http/{bodies,broken-requests,compression,requests,unread-bodies}.test.ts",
  "test/transport/remote-core/{same-refusals,tls,trouble}.test.ts",
  "test/gateway/{documentation/*,responses}.test.ts",
  "test/transport/grpc/{grpc-transport,grpc-server,interceptors,tls}.test.ts",
  "test/pipeline/refusal-pacing.test.ts",
  "test/e2e/operation/{processes,traces}.test.ts",
];

/**
 * What changes or counts something of its whole process has a process of its own: the clock, the environment, spies,
 * threads, places for calls. Other files share the modules of a worker, which hold no state: loading and warming them
 * anew takes as long as most files do. test/repository/shared-processes.test.ts holds them to it.
 */
const alone = {
  pure: ["test/{cli,database,jobs,report-rendering}/**/*.test.ts", "test/telemetry/tracing.test.ts"],
  onStore: ["test/store/{job-leases,deletion/maintenance,events/feed,server/time-zones}.test.ts"],
  onDatabase: ["test/e2e/{commands/long,operation/*}.test.ts", "test/{pipeline/*,services/exports}.test.ts"],
};

/** A project of files. */
function project(
  name: string,
  include: readonly string[],
  more: TestProjectInlineConfiguration["test"] = {},
): TestProjectInlineConfiguration {
  // Machines of continuous integration have a tenth of their speed at times.
  const limits = { testTimeout: 300_000, hookTimeout: 600_000, expect: { poll: { timeout: 100_000 } } };
  return { test: { name, include: [...include], provide: { extent: "full" }, ...limits, ...more } };
}

/** Two projects of files: those that share the modules of a worker, and those that have a process of their own each. */
function sharing(
  name: string,
  include: readonly string[],
  own: readonly string[],
  more: Pick<NonNullable<TestProjectInlineConfiguration["test"]>, "env" | "globalSetup" | "provide"> & {
    readonly exclude: readonly string[];
  },
): TestProjectInlineConfiguration[] {
  const { exclude, ...rest } = more;
  return [
    project(name, include, { ...rest, isolate: false, exclude: [...exclude, ...own] }),
    project(`${name}-alone`, own, { ...rest, exclude: [...exclude] }),
  ];
}

const embedded = { globalSetup: "test/support/databases/servers/embedded-leg.ts" };
/** npm test asks for Node, npm and apt: what is not of them is found by none of its tests. */
const base = { env: { PATH: basePath() } };
/** Histories, which have a command of their own, in their short form; the contract over some transports in turn. */
const few = { provide: { extent: "short", contract: "in turn" } } as const;
const url = { globalSetup: "test/support/databases/servers/url-leg.ts", exclude: beforeDatabase, ...few };
const overAll = { provide: { ...few.provide, contract: "over all" } } as const;

const pages = (deployment: "one process" | "core and gateway", extent: Extent, exclude: string[] = []) => ({
  exclude,
  provide: { deployment, extent },
  globalSetup: "test/support/browser/browser-leg.ts",
});

/**
 * Every statement of a process through Vitess: the store, and the contract above it. What is left out looks into the
 * server beside the service, at its connections, plans or files, which are others there.
 */
const vitess = {
  include: ["test/{store,services,e2e,vitess}/**/*.test.ts"],
  exclude: [
    "test/vitess/cluster/*.test.ts",
    "test/store/server/{backup,migrate,schema,time-zones,unavailable,unfit-connections}.test.ts",
    "test/store/sessions/{hosted-browser-sessions,report-access}.test.ts",
    "test/store/deletion/{erasure,maintenance}.test.ts",
    "test/store/statements/{deadlines,prepared-statements,query-plans,repeats}.test.ts",
    "test/store/{events/frozen,group-histories}.test.ts",
    "test/e2e/{commands/long,operation/*}.test.ts",
  ],
};
/** Only where there are several shards. */
const onShards = "test/vitess/{known-shards,on-shards,shard-calls}.test.ts";

/** The contract and what lies behind it on two keyspaces and four shards, a file after the other on the one set of them. */
const shards = {
  include: ["test/{e2e,services}/**/*.test.ts", onShards],
};

/** The runbook, some of it with waits of a minute that its pages promise. */
const badDay = { ...embedded, testTimeout: 5 * 60_000 };

const deployment = (extent: Extent): TestProjectInlineConfiguration["test"] => ({
  provide: { extent },
  globalSetup: [embedded.globalSetup, "test/support/programs.ts"],
});

/** The worst inputs there are. */
const loop = (extent: Extent) => ({ ...embedded, provide: { extent }, testTimeout: 20 * 60_000 });

export default defineConfig({
  test: {
    // More than two processors, since a test waits for servers and browsers as long as it works.
    maxWorkers: 3,
    // npm test runs the first four. What is long has commands of its own (test/run.ts), and these have short forms.
    projects: [
      ...sharing("pure", pure, alone.pure, { ...base, exclude: [...looks, ...system] }),
      ...sharing("mariadb", onDatabase, [...alone.onStore, ...alone.onDatabase], {
        ...base,
        ...embedded,
        ...few,
        exclude: system,
      }),
      project("histories", histories, { ...embedded, testTimeout: 3 * 60 * 60_000 }),
      project("system", system, embedded),
      project("bad-day", ["test/bad-day/**/*.test.ts"], badDay),
      project("bad-day-short", shortForms["bad-day"], badDay),
      project("system-short", shortForms.system, { ...embedded, provide: { extent: "short" } }),
      project("web", ["test/pages/**/*.test.ts"], pages("one process", "full", looks)),
      project("web-short", ["test/pages/**/*.test.ts"], pages("one process", "short", looks)),
      project("looks", looks, pages("one process", "full")),
      project("looks-short", looks, pages("one process", "short")),
      project(
        "web-split",
        ["test/pages/{entry,events,journey,saving,test-data}.test.ts"],
        pages("core and gateway", "full"),
      ),
      project("web-split-short", shortForms["web-split"], pages("core and gateway", "short")),
      project("loop", ["test/loop/**/*.test.ts"], loop("full")),
      project("loop-short", ["test/loop/**/*.test.ts"], loop("short")),
      project("deploy", deploy, { ...deployment("full"), exclude: deployAlone }),
      project("deploy-alone", deployAlone, { ...deployment("full"), fileParallelism: false }),
      project("deploy-short", deploy, { ...deployment("short"), exclude: deployAlone }),
      project("deploy-short-alone", deployAlone, { ...deployment("short"), fileParallelism: false }),
      // By R, which they say loudly if it is not there, and Python.
      project("validation", ["test/validation/**/*.test.ts"], { ...embedded, testTimeout: 20 * 60_000 }),
      project("validation-short", ["test/validation/**/*.test.ts"], {
        ...embedded,
        provide: { extent: "short" },
        testTimeout: 20 * 60_000,
      }),
      // Each makes a cluster of its own, of thirty processes; npm run test:vitess -- --cluster.
      project("vitess-cluster", ["test/vitess/cluster/*.test.ts"], {
        fileParallelism: false,
        testTimeout: 20 * 60_000,
        hookTimeout: 20 * 60_000,
      }),
      // The runner brings this server up and says so loudly where it cannot.
      ...(process.env.TEST_DATABASE_URL
        ? [
            ...sharing("mysql", onDatabase, [...alone.onStore, ...alone.onDatabase], { ...url, ...overAll }),
            ...sharing("mysql-short", shortForms.mysql, alone.onStore, url),
            project("vitess-shards", shards.include, {
              ...few,
              exclude: vitess.exclude,
              globalSetup: "test/support/databases/servers/divided-leg.ts",
              fileParallelism: false,
            }),
            ...sharing("vitess", vitess.include, alone.onStore, {
              ...url,
              exclude: [...vitess.exclude, onShards],
            }),
          ]
        : []),
    ],
  },
});
