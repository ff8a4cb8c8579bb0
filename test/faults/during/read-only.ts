// Calls while the database can be read and takes no writes.
import { expect } from "vitest";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { until } from "../../support/until.ts";
import type { Stage } from "../support/stage.ts";

/** Expects a clear refusal of each write and of each read that is recorded, and other reads as ever. */
export async function expectReadsAlone(stage: Stage): Promise<void> {
  const { service, token } = stage;
  const { pid } = service;
  const { sessionId = "" } = stage.players.journal.someCompleted() ?? {};
  const transport = restTransport(service.httpUrl);
  const outcomes = await Promise.all([
    transport.createSession({ token, idempotencyKey: "while-read-only" }, {}),
    transport.createSession({ token }, {}),
    transport.completeSession({ token }, sessionId, { answers: [] }),
    transport.getSessionResults({ token }, sessionId),
    transport.getSession({ token }, sessionId),
  ]);
  const clear = { ok: false, code: "unavailable", retryAfterSeconds: 1 };
  expect(outcomes).toMatchObject([clear, clear, clear, clear, { ok: true, body: { sessionId, status: "completed" } }]);
  // Only after a minute of it a process says that it is not ready.
  expect([service.pid, await service.readiness()]).toEqual([pid, 200]);
  const writers = stage.play();
  await until(() => (writers.outcomes.get("unavailable") ?? 0) > 100);
  expect(service.pid).toBe(pid);
  expect(writers.journal.acknowledged).toBe(0);
}
