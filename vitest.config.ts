import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { type Extent, shortRuns } from "./test/short-runs.ts";
import { testServerFolder } from "./test/support/databases/servers/test-server.ts";
import { basePath } from "./test/support/processes/base-path.ts";
import { LongFirst } from "./test/support/run/long-first.ts";
import { temporaryFolder } from "./test/support/run/temporary-folder.ts";

// For this process, in which servers are started, and for its workers.
process.env.TMPDIR = temporaryFolder();
process.env.PATH += `:${testServerFolder}`;

/** How much is shown: test/run.ts says. */
const extent: Extent = process.env.TEST_EXTENT === "short" ? "short" : "full";

/** Files of a full run, or of a short one. */
function chooseFiles(full: readonly string[], short: readonly string[]): readonly string[] {
  return extent === "short" ? short : full;
}

// Tests without a database. Those on one run on MariaDB; the suite mysql runs them on MySQL as well.
const pure = [
  "test/{*,repository/*}.test.ts",
  "test/{values-bridge,report-rendering,domain,kernel,limits,webhooks,cli,jobs,telemetry,database}/**/*.test.ts",
];
const onDatabase = [
  "test/{store,pipeline,services,transport,gateway,e2e,security}/**/*.test.ts",
  "test/journeys/transports.test.ts",
];
/** Hundreds of reports and pages drawn, read back and looked at on every screen. */
const looks = [
  "test/report-rendering/{pdf,png,poster}.test.ts",
  "test/pages/{appearance,docs-site,pictures,report,scale}.test.ts",
];
/** Random histories, each on the database, or against a model of it. */
const histories = ["test/store/{group-histories,cursors/*,models/*}.test.ts"];
/** The service as processes, which are started, killed, flooded and left without a database. */
const system = [...shortRuns.system, "test/store/{events/frozen,server/unavailable}.test.ts"];
const faultFiles = ["test/faults/**/*.test.ts"];
const validation = ["test/validation/**/*.test.ts"];
/** Files that only full runs of their suite have. */
export const fullRuns: readonly string[] = [...system, ...faultFiles, ...validation];
/** What is in deploy/, held to the programs that read it. They are Debian's; where one is missing its tests fail. */
const deploy = ["test/deploy/**/*.test.ts"];
/** No call of many may fail, and what is scraped each second has to be there: nothing runs beside these. */
const deployAlone = ["test/deploy/{monitoring,rolling-restart}.test.ts"];
/** Bytes that are refused before a database is asked, and processes beside it: one server shows as much as two. */
const beforeDatabase = [
  "test/security/{arriving-bodies,caller-before-message,hostile-grpc,hostile-inputs,slow-clients}.test.ts",
  "test/transport/http/{broken-requests,compression,requests,unread-bodies}.test.ts",
  "test/transport/remote-core/{tls,trouble}.test.ts",
  "test/gateway/{documentation/*,responses}.test.ts",
  "test/transport/grpc/{grpc-transport,grpc-server,interceptors,tls}.test.ts",
  "test/e2e/operation/{processes,traces}.test.ts",
];

/**
 * What changes or counts something of its whole process has a process of its own: the clock, the environment, spies,
 * threads, places for calls. Other files share the modules of a worker, which hold no state: loading and warming them
 * anew takes as long as most files do. test/repository/shared-processes.test.ts holds them to it.
 */
const alone = {
  pure: ["test/{cli/report,limits/memory,telemetry/tracing,report-rendering/*}.test.ts"],
  onStore: ["test/store/{job-leases,events/feed,server/time-zones,sessions/session-cache}.test.ts"],
  onDatabase: [
    "test/e2e/{commands/long,operation/{clock-steps,logs,metrics,processes,secrets,traces}}.test.ts",
    "test/{gateway/exports,pipeline/{deadline,long-polls,overload,pool-share},services/exports}.test.ts",
  ],
};

/** A project of files. */
function project(
  name: string,
  include: readonly string[],
  more: TestProjectInlineConfiguration["test"] = {},
): TestProjectInlineConfiguration {
  // Machines of continuous integration have a tenth of their speed at times, and the longest tests take two minutes.
  const limits = {
    testTimeout: 20 * 60_000,
    hookTimeout: 20 * 60_000,
    expect: { poll: { timeout: 5 * 60_000, interval: 20 } },
  };
  return { test: { name, include: [...include], provide: { extent }, ...limits, ...more } };
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
const base = { env: { PATH: `${basePath()}:${testServerFolder}` } };
/** Histories, which have a suite of their own, as in a short run; the contract over two transports each. */
const few = { provide: { extent: "short", contract: "in turn" } } as const;
const url = { globalSetup: "test/support/databases/servers/url-leg.ts", exclude: beforeDatabase, ...few };
const overAll = { provide: { ...few.provide, contract: "over all" } } as const;

/** Assessments of people on hosted pages, which Firefox shows too. */
const hosted = [
  "test/journeys/hosted.test.ts",
  "test/pages/{card,circumstances,cross-origin,ended,own-report,saving,scale}.test.ts",
];

const pages = (
  deployment: "one process" | "core and gateway",
  exclude: string[] = [],
  browser: "chromium" | "firefox" = "chromium",
) => ({
  exclude,
  provide: { deployment, browser, extent },
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
    "test/store/server/{backup,hostile-settings,tls,migrate,schema,time-zones,unavailable,unfit-connections}.test.ts",
    "test/store/sessions/browser-sessions.test.ts",
    "test/store/deletion/{erasure,maintenance}.test.ts",
    "test/store/statements/{deadlines,prepared-statements,query-plans,repeats}.test.ts",
    "test/store/{events/{frozen,late-expiry},group-histories}.test.ts",
    "test/e2e/{commands/long,operation/*}.test.ts",
  ],
};
/** Only where there are several shards. */
const onShards = "test/vitess/{known-shards,on-shards,shard-calls}.test.ts";

/** The contract and what lies behind it on two keyspaces and four shards, a file after the other on the one set of them. */
const shards = {
  include: ["test/{e2e,services}/**/*.test.ts", onShards],
  // Hundreds of endpoints are claimed within the ten seconds of a delivery, which four shards on one machine do not do.
  exclude: [...vitess.exclude, "test/e2e/webhooks/silent-neighbours.test.ts"],
};

/** The figures of a full run are those of a machine that has nothing else to do; a short one waits for much of its time. */
const faults = {
  ...embedded,
  exclude: [
    ...(process.env.FAULTS_MYSQL_ROOT ? [] : ["test/faults/mysql.test.ts"]),
    ...(process.env.FAULTS_HAPROXY ? [] : ["test/faults/cluster.test.ts"]),
  ],
  fileParallelism: extent === "short",
};

const deploymentSetup = [embedded.globalSetup, "test/support/run/programs.ts"];

export default defineConfig({
  test: {
    // More than two processors, since a test waits for servers and browsers as long as it works.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // test/suites.ts says which suite runs which of them.
    projects: [
      ...sharing("pure", pure, alone.pure, { ...base, exclude: [...looks, ...system] }),
      ...sharing("mariadb", onDatabase, [...alone.onStore, ...alone.onDatabase], {
        ...base,
        ...embedded,
        ...few,
        exclude: [...system, "test/e2e/contract-grpc.test.ts"],
      }),
      project("histories", histories, { ...embedded, testTimeout: 3 * 60 * 60_000 }),
      project("system", chooseFiles(system, shortRuns.system), embedded),
      project("faults", chooseFiles(faultFiles, shortRuns.faults), faults),
      project("web", ["test/journeys/hosted.test.ts", "test/pages/**/*.test.ts"], pages("one process", looks)),
      project("looks", looks, pages("one process")),
      project(
        "web-split",
        chooseFiles(
          ["test/journeys/hosted.test.ts", "test/pages/{entry,events,saving,test-data}.test.ts"],
          shortRuns["web-split"],
        ),
        pages("core and gateway"),
      ),
      project("web-firefox", chooseFiles(hosted, shortRuns["web-firefox"]), pages("one process", [], "firefox")),
      project("loop", ["test/loop/**/*.test.ts"], embedded),
      project("deploy", deploy, {
        globalSetup: [...deploymentSetup, "test/deploy/support/typescript-client.ts"],
        exclude: deployAlone,
      }),
      project("deploy-alone", deployAlone, { globalSetup: deploymentSetup, fileParallelism: false }),
      project("validation", chooseFiles(validation, shortRuns.validation), embedded),
      // Each makes a cluster of its own, of thirty processes.
      project("vitess-cluster", ["test/vitess/cluster/*.test.ts"], { fileParallelism: false }),
      // The runner brings this server up and says so loudly where it cannot.
      ...(process.env.TEST_DATABASE_URL
        ? [
            ...(extent === "short"
              ? sharing("mysql", shortRuns.mysql, alone.onStore, url)
              : sharing("mysql", onDatabase, [...alone.onStore, ...alone.onDatabase], { ...url, ...overAll })),
            project("vitess-shards", shards.include, {
              ...few,
              exclude: shards.exclude,
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
