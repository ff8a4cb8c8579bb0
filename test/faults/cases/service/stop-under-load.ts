// SIGTERM under load.
import * as grpc from "@grpc/grpc-js";
import { service as health } from "grpc-health-check";
import { expect } from "vitest";
import { report } from "../../support/run/report.ts";
import { rounds } from "../../support/run/rounds.ts";
import { openStage } from "../../support/stage.ts";
import type { FaultCase } from "../fault-case.ts";

const stops = rounds(10, 2);
const effectsBetween = 60;

export const stopUnderLoad: FaultCase = {
  name: "a stop under load ends cleanly: running calls are answered, later ones get a 503 or no connection, watchers are told",
  shortOn: ["MariaDB"],
  async run(database) {
    const stage = await openStage(database);
    const { service } = stage;
    const players = stage.play();
    const slowest: number[] = [];
    for (let stop = 0; stop < stops; stop += 1) {
      await players.untilAcknowledged(effectsBetween);
      const watched = watchHealth(service.grpcAddress);
      await watched.serving;
      const before = performance.now();
      expect(await service.end("SIGTERM")).toBe(0);
      slowest.push(performance.now() - before);
      expect(await watched.ended).toEqual({ statuses: ["SERVING", "NOT_SERVING"], code: grpc.status.UNAVAILABLE });
      await service.start();
    }
    await players.untilAcknowledged(effectsBetween);
    await stage.reckon(players);
    const outcomes = players.takeOutcomes();
    expect(Object.keys(outcomes).filter((name) => !["ok", "unavailable", "broken"].includes(name))).toEqual([]);
    report("stop under load", { stops, "slowest stop ms": Math.max(...slowest), outcomes });
  },
};

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
