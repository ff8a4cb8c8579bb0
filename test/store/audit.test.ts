// The audit log finds out whoever touches it: each fault is made on the database itself.
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { uuidToBytes } from "../../src/database/rows.ts";
import { addAnchor, anchorHeads } from "../../src/domain/audit/anchors.ts";
import { type AuditEntry, chainStart, recordHash } from "../../src/domain/audit/record.ts";
import { expireAudit } from "../../src/domain/audit/retention.ts";
import { AuditTrail, chainLifetimeMs } from "../../src/domain/audit/trail.ts";
import { verifyAudit } from "../../src/domain/audit/verify.ts";
import type { AuditFault } from "../../src/domain/audit/verify-anchors.ts";
import { at, someChain, someId } from "../support/builders.ts";
import { countOf, openTestStores, type TestStores } from "../support/databases/stores.ts";

const { signal } = new AbortController();
const day = 24 * 60 * 60 * 1000;
const key = Buffer.alloc(32, 7);

let database: TestStores;
let now: number;
beforeEach(async () => {
  database = await openTestStores();
  now = at(0).getTime();
});
afterEach(() => database.close());

const clock = () => now;
const deps = () => ({ audit: database.audit, clock, auditKeys: [key] });
const newTrail = () => new AuditTrail({ audit: database.audit, clock, random: randomBytes });

function entry(change: Partial<AuditEntry> = {}): AuditEntry {
  const about = { partnerId: someId(), clientId: someId(), sessionId: someId(), targetId: null };
  return { ...about, action: "results.read", requestId: "request", outcome: "ok", ...change };
}

/** A chain of so many records. */
async function writeChain(length: number): Promise<string> {
  const trail = newTrail();
  for (let count = 0; count < length; count += 1) await trail.record([entry()]);
  const [chain] = await database.audit.listChainsSince(new Date(now), null, 10, signal);
  return chain?.writer ?? "";
}

async function verify(known: Parameters<typeof verifyAudit>[1] = [], auditKeys: readonly Uint8Array[] = [key]) {
  const faults: AuditFault[] = [];
  const found = await verifyAudit({ audit: database.audit, auditKeys }, known, (fault) => faults.push(fault), signal);
  expect(found.faults).toBe(faults.length);
  return { ...found, faults };
}

const change = (sql: string, ...values: unknown[]) => database.connection.query(sql, values);

describe("a log that nobody has touched", () => {
  test("is found whole, with as many records, chains and anchors as were written", async () => {
    await writeChain(3);
    await anchorHeads(deps(), signal);
    now += 1;
    const other = newTrail();
    await Promise.all(Array.from({ length: 40 }, () => other.record([entry(), entry()])));
    await anchorHeads(deps(), signal);
    expect(await verify()).toMatchObject({ records: 83, chains: 2, anchors: 2, faults: [] });
  });

  test("is found whole although it is empty", async () => {
    expect(await verify()).toEqual({ records: 0, chains: 0, anchors: 0, head: null, faults: [] });
  });

  test("gets no anchor where nothing has grown", async () => {
    await writeChain(1);
    expect(await anchorHeads(deps(), signal)).toMatchObject({ sequence: 1 });
    expect(await anchorHeads(deps(), signal)).toBeUndefined();
  });
});

describe("a record", () => {
  let writer: string;
  beforeEach(async () => {
    writer = await writeChain(5);
    await anchorHeads(deps(), signal);
  });
  const bytes = () => uuidToBytes(writer);

  test.each([
    ["partner_id", randomBytes(16)],
    ["client_id", null],
    ["session_id", randomBytes(16)],
    ["target_id", randomBytes(16)],
    ["action", "report.read"],
    ["outcome", "not_found"],
    ["request_id", "another"],
    ["at", at(1)],
    ["hash", randomBytes(32)],
  ])("is found if its %s was changed", async (column, value) => {
    await change("UPDATE audit_log SET ?? = ? WHERE writer = ? AND sequence = 3", column, value, bytes());
    const { faults } = await verify();
    expect(faults).toContainEqual({ fault: "changed", writer, sequence: column === "hash" ? 4 : 3 });
  });

  test("is missed if it was removed", async () => {
    await change("DELETE FROM audit_log WHERE writer = ? AND sequence IN (2, 3)", bytes());
    expect((await verify()).faults).toEqual([{ fault: "removed", writer, sequence: 2 }]);
  });

  test("is missed if it was cut off with all that came behind it", async () => {
    await change("DELETE FROM audit_log WHERE writer = ? AND sequence > 3", bytes());
    expect((await verify()).faults).toEqual([{ fault: "cut", writer, sequence: 4 }]);
  });

  test("is missed if its whole chain was removed, and the mark of the chain with it", async () => {
    await change("DELETE FROM audit_log WHERE writer = ?", bytes());
    await change("DELETE FROM audit_chains WHERE writer = ?", bytes());
    expect((await verify()).faults).toEqual([{ fault: "cut", writer, sequence: 1 }]);
  });

  test("is found if it was changed and all hashes behind it were made anew", async () => {
    const forged = someChain(5).map((record) => ({ ...record, writer }));
    await change("DELETE FROM audit_log WHERE writer = ?", bytes());
    await change("DELETE FROM audit_chains WHERE writer = ?", bytes());
    await database.audit.append(forged, signal);
    expect((await verify()).faults).toContainEqual({ fault: "changed", writer, sequence: 5 });
  });
});

describe("whoever writes to the database", () => {
  let writer: string;
  beforeEach(async () => {
    writer = await writeChain(5);
    await anchorHeads(deps(), signal);
  });

  test.each([
    ["as long as it was", 5],
    ["and longer", 6],
  ])("cannot have a chain anchored that they wrote anew, %s", async (_, length) => {
    const forged = someChain(length).map((record) => ({ ...record, writer }));
    let before = chainStart(writer);
    const records = forged.map((record) => {
      before = recordHash(before, record);
      return { ...record, hash: before };
    });
    await change("DELETE FROM audit_log");
    await change("DELETE FROM audit_chains");
    await database.audit.append(records, signal);
    await anchorHeads(deps(), signal);
    expect((await verify()).faults).toEqual([{ fault: "changed", writer, sequence: 5 }]);
  });

  test("cannot have a chain anchored that they cut", async () => {
    await change("DELETE FROM audit_log WHERE sequence > 3");
    await change("UPDATE audit_chains SET anchored_sequence = 0");
    await anchorHeads(deps(), signal);
    expect((await verify()).faults).toEqual([{ fault: "cut", writer, sequence: 4 }]);
  });

  test("cannot keep a chain from being anchored by a mark that is ahead", async () => {
    const trail = newTrail();
    now += 1;
    await trail.record([entry()]);
    await change("UPDATE audit_chains SET anchored_sequence = 1000");
    await trail.record([entry()]);
    await anchorHeads(deps(), signal);
    await change("DELETE FROM audit_log WHERE sequence = 2 AND writer <> ?", uuidToBytes(writer));
    expect((await verify()).faults).toMatchObject([{ fault: "cut", sequence: 2 }]);
  });

  test("cannot hide what they removed behind an anchor that is the only one left", async () => {
    await anchorAgain(2);
    await change("DELETE FROM audit_anchors WHERE sequence < 3");
    const content = JSON.stringify({ heads: [], ended: [writer], first: 3 });
    await change("UPDATE audit_anchors SET content = ?", Buffer.from(content));
    await change("DELETE FROM audit_log WHERE writer = ?", uuidToBytes(writer));
    await change("DELETE FROM audit_chains WHERE writer = ?", uuidToBytes(writer));
    expect((await verify()).faults).toContainEqual({ fault: "removed", writer: null, sequence: 1 });
  });

  test("cannot have it said in the oldest anchor that a chain has ended", async () => {
    await anchorAgain(2);
    // As retention leaves it.
    await addAnchor(deps(), () => ({ heads: [], ended: [], first: 2 }), signal);
    await change("DELETE FROM audit_anchors WHERE sequence < 2");
    const [chain] = await database.audit.listChainsSince(new Date(now), null, 1, signal);
    const ended = chain?.writer ?? "";
    const content = JSON.stringify({ heads: [], ended: [ended], first: 2 });
    await change("UPDATE audit_anchors SET content = ? WHERE sequence = 2", Buffer.from(content));
    await change("DELETE FROM audit_log WHERE writer = ?", uuidToBytes(ended));
    expect((await verify()).faults).toEqual([{ fault: "cut", writer: ended, sequence: 1 }]);
  });

  test("cannot have the service sign that anchors were to be removed", async () => {
    await anchorAgain(2);
    const [last] = (await database.audit.listAnchors(2, 1, signal)).map(({ content }) => content);
    const content = JSON.stringify({ heads: [], ended: [], first: 3 });
    await change("UPDATE audit_anchors SET content = ? WHERE sequence = 3", Buffer.from(content));
    await anchorAgain(1);
    await change("UPDATE audit_anchors SET content = ? WHERE sequence = 3", Buffer.from(last ?? ""));
    await change("DELETE FROM audit_anchors WHERE sequence < 3");
    expect((await verify()).faults).toEqual([{ fault: "removed", writer: null, sequence: 1 }]);
  });

  test("cannot have the oldest anchor removed by a time that they wrote beside it", async () => {
    await change("UPDATE audit_anchors SET at = '2000-01-01'");
    await anchorAgain(1);
    await expect(expireAudit(deps(), 400, signal)).rejects.toThrow(/the anchor 1 of the audit log is not what was/);
    await anchorAgain(2);
    await addAnchor(deps(), () => ({ heads: [], ended: [], first: 2 }), signal);
    await change("DELETE FROM audit_anchors WHERE sequence < 2");
    await change("UPDATE audit_anchors SET at = '2000-01-01' WHERE sequence = 2");
    await expireAudit(deps(), 400, signal);
    expect(await countOf(database.connection, "SELECT COUNT(*) FROM audit_anchors WHERE sequence = 2")).toBe(1);
  });

  /** More anchors, each of a new chain. */
  async function anchorAgain(times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) {
      now += 1;
      await writeChain(1);
      await anchorHeads(deps(), signal);
    }
  }
});

describe("an anchor", () => {
  const anchors: NonNullable<Awaited<ReturnType<typeof anchorHeads>>>[] = [];
  beforeEach(async () => {
    anchors.length = 0;
    const trail = newTrail();
    for (let count = 0; count < 3; count += 1) {
      await trail.record([entry()]);
      const anchor = await anchorHeads(deps(), signal);
      if (anchor !== undefined) anchors.push(anchor);
    }
    expect(anchors).toHaveLength(3);
  });
  const of = (fault: AuditFault["fault"], sequence: number) => ({ fault, writer: null, sequence });

  test("is found if it was changed, removed, or the first one of those that are kept", async () => {
    await change("UPDATE audit_anchors SET at = ? WHERE sequence = 2", at(77));
    expect((await verify()).faults).toEqual([of("changed", 2)]);
    await change("DELETE FROM audit_anchors WHERE sequence = 2");
    expect((await verify()).faults).toEqual([of("removed", 2)]);
    await change("DELETE FROM audit_anchors WHERE sequence = 1");
    expect((await verify()).faults).toEqual([of("removed", 1)]);
  });

  test("is found if nobody has signed it who has a key", async () => {
    await change("UPDATE audit_anchors SET signature = ? WHERE sequence = 1", randomBytes(32));
    await change("UPDATE audit_anchors SET key_id = NULL, signature = NULL WHERE sequence = 2");
    expect((await verify()).faults).toEqual([of("unsigned", 1), of("unsigned", 2)]);
    expect((await verify([], [])).faults).toEqual([]);
    expect((await verify([], [Buffer.alloc(32, 1), key])).faults).toEqual([of("unsigned", 1), of("unsigned", 2)]);
  });

  test("that was logged is missed if the end of the log was cut off with its anchors", async () => {
    await change("DELETE FROM audit_anchors WHERE sequence = 3");
    await change("DELETE FROM audit_log WHERE sequence = 3");
    expect((await verify()).faults).toEqual([]);
    expect((await verify(anchors.slice(2))).faults).toEqual([of("cut", 3)]);
    expect((await verify(anchors.slice(0, 2))).faults).toEqual([]);
    const [first] = anchors;
    expect((await verify([{ sequence: first?.sequence ?? 0, hash: randomBytes(32) }])).faults).toEqual([
      of("changed", 1),
    ]);
  });
});

describe("retention", () => {
  test("removes chains whose last record is old enough, and the log is whole before and after", async () => {
    const old = await writeChain(3);
    await anchorHeads(deps(), signal);
    now += 400 * day;
    await writeChain(2);
    await anchorHeads(deps(), signal);
    await expireAudit(deps(), 400, signal);
    expect(await verify()).toMatchObject({ records: 5, faults: [] });
    now += chainLifetimeMs + 1;
    await expireAudit(deps(), 400, signal);
    expect(
      await countOf(database.connection, "SELECT COUNT(*) FROM audit_log WHERE writer = ?", [uuidToBytes(old)]),
    ).toBe(0);
    expect(await verify()).toMatchObject({ records: 2, chains: 1, faults: [] });
    now += chainLifetimeMs;
    await expireAudit(deps(), 400, signal);
    expect(await verify()).toMatchObject({ records: 2, anchors: 3, faults: [] });
  });

  test("that runs while the log is verified is told from a hand, and a hand beside it is still found", async () => {
    const old = await writeChain(3);
    await anchorHeads(deps(), signal);
    now += 402 * day;
    const cut = await writeChain(2);
    await anchorHeads(deps(), signal);
    let isOver = false;
    const audit: typeof database.audit = {
      ...database.audit,
      async listChain(...args) {
        // Behind the reading of the anchors and of the chains, and before that of the first record.
        if (!isOver) {
          isOver = true;
          await expireAudit(deps(), 400, signal);
          await change("DELETE FROM audit_log WHERE writer = ? AND sequence = 2", uuidToBytes(cut));
        }
        return database.audit.listChain(...args);
      },
    };
    const faults: AuditFault[] = [];
    const found = await verifyAudit({ audit, auditKeys: [key] }, [], (fault) => faults.push(fault), signal);
    expect(
      await countOf(database.connection, "SELECT COUNT(*) FROM audit_log WHERE writer = ?", [uuidToBytes(old)]),
    ).toBe(0);
    expect(faults).toEqual([{ fault: "cut", writer: cut, sequence: 2 }]);
    expect(found).toMatchObject({ records: 1, chains: 1, anchors: 3, faults: 1 });
  });

  test("that removes anchors while they are read leaves no gap in what was read", async () => {
    for (let count = 0; count < 3; count += 1) {
      now += 1;
      await writeChain(1);
      await anchorHeads(deps(), signal);
    }
    await addAnchor(deps(), () => ({ heads: [], ended: [], first: 3 }), signal);
    const anchors = await database.audit.listAnchors(0, 10, signal);
    // As if the first had been read before retention removed it, and the third after that.
    const read = anchors.filter(({ sequence }) => sequence !== 2);
    const audit = { ...database.audit, listAnchors: async (after: number) => (after === 0 ? read : []) };
    const faults: AuditFault[] = [];
    await verifyAudit({ audit, auditKeys: [key] }, [], (fault) => faults.push(fault), signal);
    expect(faults).toEqual([]);
  });

  test("leaves no gap through which somebody else could remove a record", async () => {
    const writer = await writeChain(3);
    await anchorHeads(deps(), signal);
    now += 2 * day;
    await expireAudit(deps(), 400, signal);
    await change("DELETE FROM audit_log WHERE writer = ?", uuidToBytes(writer));
    expect((await verify()).faults).toEqual([{ fault: "cut", writer, sequence: 1 }]);
  });

  test("removes nothing by a time that was written beside a chain or an anchor", async () => {
    await writeChain(3);
    for (let count = 0; count < 3; count += 1) {
      now += day;
      await writeChain(1);
      await anchorHeads(deps(), signal);
    }
    await change("UPDATE audit_chains SET started_at = '2000-01-01'");
    await expect(expireAudit(deps(), 400, signal)).rejects.toThrow(/began later than its row says/);
    await change("UPDATE audit_chains SET started_at = ?", new Date(now));
    await change("UPDATE audit_anchors SET at = '2000-01-01'");
    await expect(expireAudit(deps(), 400, signal)).rejects.toThrow(
      /the anchor 1 of the audit log is not what was written/,
    );
    expect(await verify()).toMatchObject({ records: 6, chains: 4, anchors: 3 });
  });

  test("of many records goes on until none is left, and does nothing where nothing is old", async () => {
    const records = someChain(2_500);
    for (let first = 0; first < records.length; first += 500) {
      await database.audit.append(records.slice(first, first + 500), signal);
    }
    await expireAudit(deps(), 400, signal);
    expect(await verify()).toMatchObject({ records: 2_500, anchors: 0, faults: [] });
    now += 402 * day;
    await expireAudit(deps(), 400, signal);
    expect(await verify()).toMatchObject({ records: 0, chains: 0, anchors: 1, faults: [] });
  });
});

describe("a trail", () => {
  test("stores calls that come together in few statements, and one alone at once", async () => {
    const sizes: number[] = [];
    const trail = new AuditTrail({
      audit: database.audit,
      clock,
      random: randomBytes,
      observeAppended: (records) => sizes.push(records),
    });
    await trail.record([entry()]);
    await Promise.all(Array.from({ length: 100 }, () => trail.record([entry()])));
    expect(sizes[0]).toBe(1);
    expect(sizes.slice(1).every((size) => size <= 32)).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(101);
    expect(sizes.length).toBeLessThan(10);
  });

  test("begins another chain after a day", async () => {
    const trail = newTrail();
    await trail.record([entry()]);
    now += chainLifetimeMs - 1;
    await trail.record([entry()]);
    now += 1;
    await trail.record([entry()]);
    expect(await verify()).toMatchObject({ records: 3, chains: 2, faults: [] });
  });

  test("refuses what it cannot store, and goes on with a chain of its own, so that nothing is in doubt", async () => {
    const outcomes: boolean[] = [];
    const observeAppended = (_records: number, isStored: boolean) => outcomes.push(isStored);
    const trail = new AuditTrail({ audit: database.audit, clock, random: randomBytes, observeAppended });
    await trail.record([entry()]);
    await change("RENAME TABLE audit_log TO audit_log_away");
    await expect(trail.record([entry()])).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
    await change("RENAME TABLE audit_log_away TO audit_log");
    await trail.record([entry()]);
    expect(outcomes).toEqual([true, false, true]);
    expect(await verify()).toMatchObject({ records: 2, chains: 2, faults: [] });
  });

  test("whose statement was stored and thought lost stores it once", async () => {
    const records = someChain(2);
    await database.audit.append(records.slice(0, 1), signal);
    await database.audit.append(records.slice(0, 1), signal);
    await database.audit.append(records.slice(1), signal);
    await database.audit.append(records.slice(1), signal);
    expect(await verify()).toMatchObject({ records: 2, faults: [] });
  });
});
