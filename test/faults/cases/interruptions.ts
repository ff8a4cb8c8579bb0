// What goes away under load and comes back, again and again: callers get no more than a passing error, and nothing
// acknowledged is lost.
import * as grpc from "@grpc/grpc-js";
import { service as health } from "grpc-health-check";
import { expect } from "vitest";
import type { Players } from "../support/callers/players.ts";
import type { BreakableDatabase } from "../support/database/database.ts";
import type { BreakableCluster } from "../support/database/mysql-cluster.ts";
import { report } from "../support/run/report.ts";
import { rounds } from "../support/run/rounds.ts";
import { openStage, type Stage } from "../support/stage.ts";
import type { FaultCase } from "./fault-case.ts";

const effectsBetween = 60;

interface Interruption<D extends BreakableDatabase> extends Omit<FaultCase<D>, "run"> {
  readonly times: number;
  /** How calls may end meanwhile, beside well. */
  readonly outcomes: readonly string[];
  /** Interrupts once, and resolves when callers are served again. */
  readonly interrupt: (stage: Stage<D>, players: Players) => Promise<void>;
}

function interruption<D extends BreakableDatabase>(about: Interruption<D>): FaultCase<D> {
  const { times, outcomes: passing, interrupt, ...rest } = about;
  return {
    ...rest,
    async run(database) {
      const stage = await openStage(database);
      const players = stage.play();
      const took: number[] = [];
      for (let count = 0; count < times; count += 1) {
        await players.untilAcknowledged(effectsBetween);
        const before = performance.now();
        await interrupt(stage, players);
        took.push(performance.now() - before);
      }
      await players.untilAcknowledged(effectsBetween);
      await stage.reckon(players);
      const outcomes = players.takeOutcomes();
      expect(Object.keys(outcomes).filter((name) => name !== "ok" && !passing.includes(name))).toEqual([]);
      report(rest.name, { times, "slowest ms": Math.max(...took), outcomes });
    },
  };
}

export const databaseKilled = interruption({
  name: "a database that is killed costs callers no more than a 503, its service no restart, and nothing acknowledged",
  notOn: ["cluster"],
  shortOn: ["MariaDB"],
  times: rounds(10, 2),
  outcomes: ["unavailable", "broken"],
  async interrupt({ database, service }, players) {
    const { pid } = service;
    await database.kill();
    await service.untilUnready();
    await database.start();
    await players.untilAcknowledged(1);
    await service.untilReady();
    expect(service.pid).toBe(pid);
  },
});

export const serviceStopped = interruption({
  name: "a stop under load ends cleanly: running calls are answered, later ones get a 503 or no connection, watchers are told",
  shortOn: ["MariaDB"],
  times: rounds(10, 2),
  outcomes: ["unavailable", "broken"],
  async interrupt({ service }) {
    const watched = watchHealth(service.grpcAddress);
    await watched.serving;
    expect(await service.end("SIGTERM")).toBe(0);
    expect(await watched.ended).toEqual({ statuses: ["SERVING", "NOT_SERVING"], code: grpc.status.UNAVAILABLE });
    await service.start();
  },
});

export const primaryKilled = interruption<BreakableCluster>({
  name: "a cluster whose primary is killed keeps what was acknowledged, and nobody reads an older state",
  times: rounds(5, 1),
  outcomes: ["unavailable", "deadline_exceeded"],
  async interrupt({ database, service }, players) {
    // The one that was killed before is back before the next one goes.
    await database.start();
    await players.untilAcknowledged(effectsBetween);
    await database.kill();
    await database.elected();
    await players.untilAcknowledged(1);
    await service.untilReady();
  },
});

export const primarySwitched = interruption<BreakableCluster>({
  name: "a cluster whose primary is replaced in good order costs callers no more than a 503, and nothing acknowledged",
  times: rounds(5, 1),
  outcomes: ["unavailable"],
  async interrupt({ database }, players) {
    await database.switchPrimary();
    await players.untilAcknowledged(1);
  },
});

/** Watches the health of the service until the stream ends; tells every status that came, and how it ended. */
function watchHealth(address: string) {
  const client = new grpc.Client(address, grpc.credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = health.Watch as grpc.MethodDefinition<
    object,
    { status: string }
  >;
  const call = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { service: "" });
  const statuses: string[] = [];
  const { promise: serving, resolve } = Promise.withResolvers<void>();
  const ended = new Promise<{ statuses: string[]; code: number }>((end) => {
    call.on("data", ({ status }: { status: string }) => {
      statuses.push(status);
      if (status === "SERVING") resolve();
    });
    call.on("error", () => undefined);
    call.on("status", ({ code }: grpc.StatusObject) => {
      client.close();
      end({ statuses, code });
    });
  });
  return { serving, ended };
}
