// What an audit log that cannot be written costs: calls wait up to a bound, and an operator is told what went wrong.
import { randomBytes } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  type AuditEntry,
  AuditTrail,
  computeChainStart,
  computeRecordHash,
  maxBatch,
  recordAct,
} from "../../../src/domain/audit/trail.ts";

/** Calls that wait at most, as the runbook may count on. */
const maxWaiting = 2_048;
const refusal = expect.objectContaining({
  code: "unavailable",
  message:
    "The call could not be recorded in the audit log, and nothing is returned without a record. Repeat the request.",
  retryAfterSeconds: 1,
});

function entry(): AuditEntry {
  const nobody = { partnerId: null, clientId: null, sessionId: null, targetId: null };
  return { ...nobody, action: "results.read", requestId: "request", outcome: "ok" };
}

/** A trail whose statements end when the test says so. */
function heldTrail() {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const stored: number[] = [];
  const append = async (records: readonly unknown[]) => {
    await held;
    stored.push(records.length);
  };
  return { trail: new AuditTrail({ audit: { append }, clock: Date.now, random: randomBytes }), stored, release };
}

test("calls beyond those that may wait to be recorded are refused at once, and accepted again afterwards", async () => {
  const { trail, stored, release } = heldTrail();
  const waiting = Array.from({ length: maxWaiting }, () => trail.record([entry()]));
  let outcome: unknown = "it waits";
  void trail.record([entry()]).catch((error: unknown) => {
    outcome = error;
  });
  await turn();
  expect(outcome).toEqual(refusal);
  release();
  await Promise.all(waiting);
  await trail.record([entry()]);
  expect([Math.max(...stored), stored.reduce((sum, records) => sum + records)]).toEqual([maxBatch, maxWaiting + 1]);
});

test("calls whose records cannot be made are refused, and later ones are recorded", async () => {
  const stored: number[] = [];
  const append = async (records: readonly unknown[]) => void stored.push(records.length);
  const times = [Number.NaN, Date.now()];
  const trail = new AuditTrail({ audit: { append }, clock: () => times.shift() ?? Date.now(), random: randomBytes });
  await expect(trail.record([entry()])).rejects.toEqual(refusal);
  await trail.record([entry(), entry()]);
  expect(stored).toEqual([2]);
});

test("an operator hears what went wrong, even if it cannot be recorded", async () => {
  const recorded: (readonly { outcome: string }[])[] = [];
  const append = async (records: readonly { outcome: string }[]) => {
    recorded.push(records);
    if (recorded.length > 1) throw new Error("the database is away");
  };
  const trail = new AuditTrail({ audit: { append }, clock: Date.now, random: randomBytes });
  const work = () => Promise.reject(new Error("no such file"));
  await expect(recordAct({ trail }, { action: "norm_pool.update" }, work)).rejects.toThrow("no such file");
  expect(recorded.map(([record]) => record?.outcome)).toEqual(["begun", "internal"]);
});

test("work of an operator that cannot be recorded is not begun, and its success is reported once it is recorded", async () => {
  let isBegun = false;
  const work = async () => {
    isBegun = true;
  };
  const away = { append: () => Promise.reject(new Error("the database is away")) };
  const trail = new AuditTrail({ audit: away, clock: Date.now, random: randomBytes });
  await expect(recordAct({ trail }, { action: "norm_pool.update" }, work)).rejects.toEqual(refusal);
  expect(isBegun).toBe(false);
});

// Computed with another program: what is stored for years has to be verified by the same hashes.
test("the hash of a chain has the expected value", () => {
  const writer = "01a20ac8-d698-7673-9dab-7709c72e6537";
  const start = computeChainStart(writer);
  expect(Buffer.from(start).toString("hex")).toBe("d3f968cfd4f01cfcb20086373e1497ac9439fd58c9e1404cc4747726e29a8ae5");
  const record = { ...entry(), writer, sequence: 1, at: new Date(Date.UTC(2026, 0, 1)), partnerId: writer };
  expect(Buffer.from(computeRecordHash(start, record)).toString("hex")).toBe(
    "380cd631b897c3cbe0d960bdc5d693a5dfc324a857963033fe95e125f66cfe9a",
  );
});
