// A database that can be read and takes no writes.
import { expect } from "vitest";
import { restTransport } from "../../../support/transports/rest-transport.ts";
import { report } from "../../support/run/report.ts";
import { openStage } from "../../support/stage.ts";
import { until } from "../../support/system.ts";
import type { FaultCase } from "../fault-case.ts";

const effectsBetween = 60;

export const readOnly: FaultCase = {
  name: "a read-only database gives writes and recorded reads of results a clear 503, serves other reads, and stores nothing",
  notOn: ["cluster"],
  async run(database) {
    const stage = await openStage(database);
    const { service, token } = stage;
    const players = stage.play();
    await players.untilAcknowledged(effectsBetween);
    await players.end();
    const known = players.journal.someCompleted();
    const setReadOnly = (isOn: boolean) =>
      database.asAdministrator((connection) => connection.query(`SET GLOBAL read_only = ${isOn ? 1 : 0}`));
    await setReadOnly(true);
    const transport = restTransport(service.httpUrl);
    const sessionId = known?.sessionId ?? "";
    const answers = await Promise.all([
      transport.createSession({ token, idempotencyKey: "while read-only".replaceAll(" ", "-") }, {}),
      transport.createSession({ token }, {}),
      transport.completeSession({ token }, sessionId, { answers: [] }),
      transport.getSessionResults({ token }, sessionId),
      transport.getSession({ token }, sessionId),
    ]);
    const clear = { ok: false, code: "unavailable", retryAfterSeconds: 1 };
    expect(answers).toMatchObject([clear, clear, clear, clear, { ok: true, body: { sessionId, status: "completed" } }]);
    const readers = stage.play();
    await until("writers that were refused", () =>
      (readers.outcomes.get("unavailable") ?? 0) > 100 ? true : undefined,
    );
    expect([service.pid, await service.readiness()]).toEqual([service.pid, 200]);
    expect(readers.journal.acknowledged).toBe(0);
    await setReadOnly(false);
    await readers.untilAcknowledged(effectsBetween);
    const outcomes = readers.takeOutcomes();
    expect(Object.keys(outcomes).toSorted()).toEqual(["ok", "unavailable"]);
    await readers.end();
    for (const entry of players.journal.entries) readers.journal.entries.push(entry);
    await stage.reckon(readers);
    report("read-only", { outcomes });
  },
};
