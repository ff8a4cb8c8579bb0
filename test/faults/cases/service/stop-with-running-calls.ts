// SIGTERM while calls wait in the database.
import { expect } from "vitest";
import { answer, bodyOf } from "../../../e2e/cases/case.ts";
import { callsInFlight } from "../../../support/transports/calls-in-flight.ts";
import { restTransport } from "../../../support/transports/rest-transport.ts";
import { grpcTransport } from "../../../support/transports/rpc-transport.ts";
import { report } from "../../support/run/report.ts";
import { openStage } from "../../support/stage.ts";
import { until } from "../../support/system.ts";
import type { FaultCase } from "../fault-case.ts";

const questionId = 1001;

export const stopWithRunningCalls: FaultCase = {
  name: "calls that run when the service is stopped are answered over every transport, and stored",
  shortOn: ["MariaDB"],
  async run(database) {
    const { service, token } = await openStage(database);
    const transports = [restTransport(service.httpUrl), grpcTransport(service.grpcAddress)];
    const ids = await Promise.all(
      transports.map(async (transport) => bodyOf(await transport.createSession({ token }, {})).sessionId),
    );
    const {
      running: outcomes,
      stopped: exit,
      releasedAt,
    } = await database.asAdministrator(async (connection) => {
      // Whoever announces them locks them in another order.
      await until("sessions that are announced", async () => {
        const [left] = await connection.query("SELECT id FROM sessions WHERE unpublished_since IS NOT NULL");
        return Array.isArray(left) && left.length === 0 ? true : undefined;
      });
      await connection.query("BEGIN");
      await connection.query("SELECT id FROM sessions FOR UPDATE");
      const running = transports.map((transport, index) =>
        transport.recordAnswers({ token }, ids[index] ?? "", [answer(questionId, 4)]),
      );
      await until("calls that run", async () =>
        (await callsInFlight(service.httpUrl, "running")) === transports.length ? true : undefined,
      );
      const stopped = service.end("SIGTERM");
      await until("a stop that has begun", () => isStopping(service.httpUrl));
      await connection.query("COMMIT");
      return { running, stopped, releasedAt: performance.now() };
    });
    expect((await Promise.all(outcomes)).map((outcome) => bodyOf(outcome))).toMatchObject(
      ids.map((sessionId) => ({ sessionId, recorded: 1 })),
    );
    expect(await exit).toBe(0);
    const stopMs = performance.now() - releasedAt;
    const stored = await database.asAdministrator((connection) =>
      connection.query("SELECT id FROM sessions WHERE revision = 1"),
    );
    expect(stored[0]).toHaveLength(transports.length);
    for (const transport of transports) transport.close();
    report("stop with running calls", { "stop ms after they could end": stopMs });
  },
};

/** New connections are refused, or told that the service is stopping. */
async function isStopping(httpUrl: string): Promise<true | undefined> {
  const response = await fetch(`${httpUrl}/readyz`).catch(() => undefined);
  return response?.status === 200 ? undefined : true;
}
