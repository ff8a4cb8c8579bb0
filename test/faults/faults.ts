// The table of faults: what breaks while callers play, on which databases, and how their calls may end.
import { expect } from "vitest";
import type { Cut } from "../support/databases/database-proxy.ts";
import { until } from "../support/until.ts";
import { repeats, strikeEventProcesses } from "./during/event-processes.ts";
import { endWithWatchers } from "./during/health-watchers.ts";
import { expectAcceptedInOrder, killService } from "./during/killed-service.ts";
import { expectReadsAlone } from "./during/read-only.ts";
import type { DatabaseName, Fault } from "./fault.ts";
import type { BreakableCluster } from "./support/database/mysql-cluster.ts";
import { rounds } from "./support/run/means.ts";

const server: readonly DatabaseName[] = ["MariaDB", "MySQL 9.7"];
const cluster: readonly DatabaseName[] = ["a MySQL Group Replication cluster"];
const everywhere = [...server, ...cluster];
const mariadb: readonly DatabaseName[] = ["MariaDB"];

const kills = rounds(30, 3);
const cutKinds: readonly Cut[] = ["request", "half", "answer"];
const cutEffects = rounds(3_000, 300);
const heldCalls = 6;

/** The faults that any database can have. */
export const faults: readonly Fault[] = [
  {
    name: `nothing acknowledged is lost when the service is killed ${kills} times, and the receiver of docs/webhooks.md verifies every delivery and gets all events in order`,
    on: everywhere,
    shortOn: mariadb,
    times: kills,
    receivers: 1,
    during: killService,
    // While a process starts on a slow machine, calls to it may take their ten seconds.
    expected: ["unavailable", "broken", "deadline_exceeded"],
    afterwards: expectAcceptedInOrder,
  },
  {
    name: "a database that is killed costs callers no more than a 503, its service no restart, and nothing acknowledged",
    on: server,
    shortOn: mariadb,
    times: rounds(10, 2),
    async during({ stage: { database, service, players } }) {
      const { pid } = service;
      await database.kill();
      await service.untilUnready();
      await database.start();
      await players.untilAcknowledged(1);
      await service.untilReady();
      expect(service.pid).toBe(pid);
    },
    expected: ["unavailable", "broken"],
  },
  {
    name: "connections cut in the middle of a statement, and a late answer, lose nothing acknowledged",
    on: everywhere,
    shortOn: mariadb,
    proxied: ({ target }) => target,
    async during({ stage: { players }, proxy }) {
      proxy.choose = () => (Math.random() < 0.05 ? cutKinds[Math.floor(Math.random() * 3)] : undefined);
      await players.untilAcknowledged(cutEffects);
      proxy.choose = () => undefined;
      expect(proxy.cuts).toBeGreaterThan(cutEffects / 20);
      proxy.latencyMs = 200;
      await players.untilAcknowledged(rounds(150, 40));
      proxy.latencyMs = 0;
      return { cuts: proxy.cuts, "slowest call ms": players.slowestMs };
    },
    expected: ["unavailable"],
  },
  {
    name: "a read-only database gives writes and recorded reads of results a clear 503, serves other reads, and stores nothing",
    on: server,
    async during({ stage }) {
      const { database } = stage;
      const setReadOnly = (isOn: boolean) =>
        database.asAdministrator((connection) => connection.query(`SET GLOBAL read_only = ${isOn ? 1 : 0}`));
      await stage.players.end();
      await setReadOnly(true);
      await expectReadsAlone(stage);
      await setReadOnly(false);
    },
    expected: ["unavailable"],
  },
  {
    name: "a stop under load ends cleanly: running calls are answered, later ones get a 503 or no connection, watchers are told",
    on: everywhere,
    shortOn: mariadb,
    times: rounds(10, 2),
    during: ({ stage: { service } }) => endWithWatchers(service),
    expected: ["unavailable", "broken"],
  },
  {
    name: `processes that announce or deliver are killed or frozen ${repeats} times: others go on, and no event is skipped, doubled or lost`,
    on: everywhere,
    shortOn: mariadb,
    receivers: 2,
    during: strikeEventProcesses,
    // A frozen process holds the rows that it has locked.
    expected: ["unavailable", "deadline_exceeded"],
  },
];

/** Those of a cluster alone, in this order: a killed primary is not brought back for the next one. */
export const clusterFaults: readonly Fault<BreakableCluster>[] = [
  {
    name: "a cluster whose primary is replaced in good order costs callers no more than a 503, and nothing acknowledged",
    on: cluster,
    times: rounds(5, 1),
    async during({ stage: { database, players } }) {
      await database.switchPrimary();
      await players.untilAcknowledged(1);
    },
    expected: ["unavailable"],
  },
  {
    // Reached at once: some proxies go by the role of a server and do not wait until it takes writes.
    name: "a primary that is behind its predecessor serves no call before it has caught up",
    on: cluster,
    shortOn: [],
    proxied: (database) => database.elected(),
    async during({ stage: { database, players }, proxy }) {
      const release = await database.holdSecondaries();
      await players.untilAcknowledged(120);
      await database.kill();
      proxy.target = await database.elected();
      players.takeOutcomes();
      const { outcomes } = players;
      const countEnded = () => outcomes.values().reduce((sum, count) => sum + count, 0);
      await until(() => countEnded() >= heldCalls);
      const isOther = (outcome: string) => !["unavailable", "deadline_exceeded"].includes(outcome);
      expect(Object.keys(players.takeOutcomes()).filter(isOther)).toEqual([]);
      await release();
      await players.untilAcknowledged(120);
    },
    expected: ["unavailable", "deadline_exceeded"],
    afterwards: ({ stage: { database } }) => database.start(),
  },
  {
    name: "a cluster whose primary is killed keeps what was acknowledged, and nobody reads an older state",
    on: cluster,
    times: rounds(5, 1),
    async during({ stage: { database, service, players } }) {
      // The one that was killed before is back before the next one goes.
      await database.start();
      await players.untilAcknowledged(60);
      await database.kill();
      await database.elected();
      await players.untilAcknowledged(1);
      await service.untilReady();
    },
    expected: ["unavailable", "deadline_exceeded"],
  },
];
