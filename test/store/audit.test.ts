// The audit log finds out whoever touches it: each fault is made on the database itself.
import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { beforeEach, describe, expect, test } from "vitest";
import {
  type AuditEntry,
  AuditTrail,
  chainLifetimeMs,
  computeChainStart,
  computeRecordHash,
} from "../../src/domain/audit/trail.ts";
import { computeFirstId } from "../../src/domain/identifiers.ts";
import { uuidToBytes } from "../../src/kernel/ids.ts";
import {
  type AnchorPosition,
  anchorsStart,
  ChainAnchorer,
  computeAnchorHash,
  listChainHeads,
  parseAnchorContent,
  removeOldAudit,
} from "../../src/services/audit/anchors.ts";
import { listAuditRecords } from "../../src/services/audit/audit-service.ts";
import { type AuditFault, verifyAudit } from "../../src/services/audit/verify.ts";
import { createAuditStore } from "../../src/store/audit/audit-store.ts";
import { at, someChain, someId } from "../support/builders.ts";
import { poolOfTest } from "../support/databases/pool.ts";
import { proxyBefore } from "../support/databases/proxied-database.ts";
import { batchesOf, countOf } from "../support/databases/stores.ts";
import { deadline, signal } from "../support/deadline.ts";
import { storesOfFile } from "../support/of-file.ts";

const day = 24 * 60 * 60 * 1000;
const key = Buffer.alloc(32, 7);

const database = await storesOfFile();
let now: number;
let anchorer: ChainAnchorer;
beforeEach(async () => {
  for (const table of ["audit_log", "audit_anchors"]) await database.connection.query(`DELETE FROM ${table}`);
  now = at(0).getTime();
  anchorer = new ChainAnchorer(deps());
});

const clock = () => now;
const deps = () => ({ audit: database.audit, batchSizes: database.batchSizes, clock, auditKeys: [key] });
const newTrail = () => new AuditTrail({ audit: database.audit, clock, random: randomBytes });

function entry(change: Partial<AuditEntry> = {}): AuditEntry {
  const about = { partnerId: someId(), clientId: someId(), sessionId: someId(), targetId: null };
  return { ...about, action: "results.read", requestId: "request", outcome: "ok", ...change };
}

/** A chain of so many records. */
async function writeChain(length: number): Promise<string> {
  const trail = newTrail();
  for (let count = 0; count < length; count += 1) await trail.record([entry()]);
  return writerSince(now);
}

/** The first chain that began at the time or later. */
async function writerSince(time: number): Promise<string> {
  for await (const { writer } of listChainHeads(database.audit, computeFirstId(time), signal)) return writer;
  return "";
}

/** What the job does once a minute. @returns the new anchor, if there is one */
const anchorHeads = () => anchorer.run(signal);

/** Anchors so many chains, each of one record, one after the other. */
async function anchorChains(count: number): Promise<void> {
  for (let anchored = 0; anchored < count; anchored += 1) {
    now += 1;
    await writeChain(1);
    await anchorHeads();
  }
}

async function verify(known: Parameters<typeof verifyAudit>[2] = [], changes: Partial<ReturnType<typeof deps>> = {}) {
  const faults: AuditFault[] = [];
  const summary = await verifyAudit({ ...deps(), ...changes }, 400, known, (fault) => faults.push(fault), signal);
  expect(summary.faults).toBe(faults.length);
  return { ...summary, faults };
}

const countRecords = (writer: string) =>
  countOf(database.connection, "SELECT COUNT(*) FROM audit_log WHERE writer = ?", [uuidToBytes(writer)]);
const changeRows = (sql: string, ...values: unknown[]) => database.connection.query(sql, values);

test("an unchanged log has no faults, and as many records, chains and anchors as were written", async () => {
  await writeChain(3);
  await anchorHeads();
  now += 1;
  const other = newTrail();
  await Promise.all(Array.from({ length: 40 }, () => other.record([entry(), entry()])));
  await anchorHeads();
  expect(await verify()).toMatchObject({ records: 83, chains: 2, anchors: 2, faults: [] });
});

test("a log that has not grown gets no further anchor", async () => {
  await writeChain(1);
  expect(await anchorHeads()).toMatchObject({ sequence: 1 });
  expect(await anchorHeads()).toBeUndefined();
});

test("an anchor is logged although its acknowledgement was lost", async () => {
  const { proxy, url } = await proxyBefore(database.address);
  const audit = createAuditStore(poolOfTest({ address: { url }, poolSize: 1 }));
  proxy.choose = (statement) =>
    proxy.cuts === 0 && /^insert into audit_anchors/i.test(statement) ? "answer" : undefined;
  await writeChain(1);
  expect(await new ChainAnchorer({ ...deps(), audit }).run(signal)).toMatchObject({ sequence: 1 });
  expect(await verify()).toMatchObject({ anchors: 1, faults: [] });
});

describe("a chain that somebody has changed", () => {
  let writer: string;
  beforeEach(async () => {
    writer = await writeChain(5);
    await anchorHeads();
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
  ])("verification reports a record whose %s was changed", async (column, value) => {
    await changeRows("UPDATE audit_log SET ?? = ? WHERE writer = ? AND sequence = 3", column, value, bytes());
    const { faults } = await verify();
    expect(faults).toContainEqual({ fault: "changed", writer, sequence: column === "hash" ? 4 : 3 });
  });

  test.each([
    ["removed records", "sequence IN (2, 3)", "removed", 2],
    ["a record that was cut off with all that follow it", "sequence > 3", "cut", 4],
    ["the removal of a whole chain", "sequence > 0", "cut", 1],
  ])("verification reports %s", async (_, which, fault, sequence) => {
    await changeRows(`DELETE FROM audit_log WHERE writer = ? AND ${which}`, bytes());
    expect((await verify()).faults).toEqual([{ fault, writer, sequence }]);
  });

  test("verification reports a changed record although all hashes behind it were computed again", async () => {
    const forged = someChain(5).map((record) => ({ ...record, writer }));
    await changeRows("DELETE FROM audit_log WHERE writer = ?", bytes());
    await database.audit.append(forged, signal);
    expect((await verify()).faults).toContainEqual({ fault: "changed", writer, sequence: 5 });
  });

  test.each([
    ["as long as it was", 5],
    ["and longer", 6],
  ])("an attacker cannot have a chain anchored that they wrote again, %s", async (_, length) => {
    const forged = someChain(length).map((record) => ({ ...record, writer }));
    let before = computeChainStart(writer);
    const records = forged.map((record) => {
      before = computeRecordHash(before, record);
      return { ...record, hash: before };
    });
    await changeRows("DELETE FROM audit_log");
    await database.audit.append(records, signal);
    // A process that has just started anchors whatever it finds.
    anchorer = new ChainAnchorer(deps());
    expect(await anchorHeads()).toMatchObject({ sequence: 2 });
    expect((await verify()).faults).toEqual([{ fault: "changed", writer, sequence: 5 }]);
  });

  test("an attacker cannot have a chain anchored that they cut short", async () => {
    await changeRows("DELETE FROM audit_log WHERE sequence > 3");
    await anchorHeads();
    expect((await verify()).faults).toEqual([{ fault: "cut", writer, sequence: 4 }]);
  });

  test("an attacker cannot replace a chain by an unsigned anchor", async () => {
    await anchorChains(1);
    const [first, second] = await database.audit.listAnchors(0, 2, signal);
    const content = JSON.stringify({ heads: [[writer, 3, "00".repeat(32)]] });
    const forged = { sequence: 2, at: second?.at ?? new Date(now), content };
    const forgedHash = computeAnchorHash(first?.hash ?? anchorsStart, forged);
    await changeRows("UPDATE audit_anchors SET content = ?, hash = ? WHERE sequence = 2", content, forgedHash);
    await anchorChains(1);
    const unsigned = { fault: "unsigned", writer: null, sequence: 2 };
    expect((await verify()).faults).toEqual([unsigned]);
    await changeRows("DELETE FROM audit_log WHERE writer = ? AND sequence > 4", uuidToBytes(writer));
    expect((await verify()).faults).toEqual([unsigned, { fault: "cut", writer, sequence: 5 }]);
  });

  test("an attacker cannot stop the verification by an unreadable anchor", async () => {
    await anchorChains(2);
    await changeRows("UPDATE audit_anchors SET content = 'not JSON' WHERE sequence = 2");
    expect((await verify()).faults).toEqual([{ fault: "changed", writer: null, sequence: 2 }]);
  });

  test("verification reports that an attacker had anchors removed by old times, with all hashes computed again", async () => {
    await anchorChains(3);
    let before: Uint8Array = anchorsStart;
    for (const { sequence, content } of await database.audit.listAnchors(0, 4, signal)) {
      const old = new Date(Date.UTC(2000, 0, sequence));
      before = computeAnchorHash(before, { sequence, at: old, content });
      await changeRows("UPDATE audit_anchors SET at = ?, hash = ? WHERE sequence = ?", old, before, sequence);
    }
    await anchorChains(2);
    await removeOldAudit(deps(), 400, signal);
    const unsigned = [3, 4].map((sequence) => ({ fault: "unsigned", writer: null, sequence }));
    expect((await verify()).faults).toEqual([...unsigned, { fault: "removed", writer: null, sequence: 1 }]);
  });

  test("an attacker cannot hide removals behind the only anchor that is left", async () => {
    await anchorChains(2);
    await changeRows("DELETE FROM audit_anchors WHERE sequence < 3");
    await changeRows("UPDATE audit_anchors SET at = '2000-01-01', content = '{\"heads\":[]}'");
    await changeRows("DELETE FROM audit_log WHERE writer = ?", uuidToBytes(writer));
    expect((await verify()).faults).toContainEqual({ fault: "removed", writer: null, sequence: 1 });
  });

  test("an attacker cannot hide removed anchors by an old time in the oldest one that is left", async () => {
    await anchorChains(2);
    await changeRows("DELETE FROM audit_anchors WHERE sequence < 2");
    await changeRows("UPDATE audit_anchors SET at = '2000-01-01' WHERE sequence = 2");
    await removeOldAudit(deps(), 400, signal);
    expect((await verify()).faults).toEqual([{ fault: "removed", writer: null, sequence: 1 }]);
  });
});

describe("changed and removed anchors", () => {
  const anchors: AnchorPosition[] = [];
  beforeEach(async () => {
    anchors.length = 0;
    const trail = newTrail();
    for (let count = 0; count < 3; count += 1) {
      await trail.record([entry()]);
      const anchor = await anchorHeads();
      if (anchor !== undefined) anchors.push(anchor);
    }
    expect(anchors).toHaveLength(3);
  });
  const of = (fault: AuditFault["fault"], sequence: number) => ({ fault, writer: null, sequence });

  test("verification reports an anchor that was changed or removed, also the oldest one", async () => {
    await changeRows("UPDATE audit_anchors SET at = ? WHERE sequence = 2", at(77));
    expect((await verify()).faults).toEqual([of("changed", 2)]);
    await changeRows("DELETE FROM audit_anchors WHERE sequence = 2");
    expect((await verify()).faults).toEqual([of("removed", 2)]);
    await changeRows("DELETE FROM audit_anchors WHERE sequence = 1");
    expect((await verify()).faults).toEqual([of("removed", 1)]);
  });

  test("verification reports an anchor without a signature of a known key", async () => {
    await changeRows("UPDATE audit_anchors SET signature = ? WHERE sequence = 1", randomBytes(32));
    await changeRows("UPDATE audit_anchors SET key_id = NULL, signature = NULL WHERE sequence = 2");
    expect((await verify()).faults).toEqual([of("unsigned", 1), of("unsigned", 2)]);
    expect((await verify([], { auditKeys: [] })).faults).toEqual([]);
    expect((await verify([], { auditKeys: [Buffer.alloc(32, 1), key] })).faults).toEqual([
      of("unsigned", 1),
      of("unsigned", 2),
    ]);
  });

  test("verification reports that the end of the log was cut off with its anchors, if one of them was logged", async () => {
    await changeRows("DELETE FROM audit_anchors WHERE sequence = 3");
    await changeRows("DELETE FROM audit_log WHERE sequence = 3");
    expect((await verify()).faults).toEqual([]);
    expect((await verify(anchors.slice(2))).faults).toEqual([of("cut", 3)]);
    expect((await verify(anchors.slice(0, 2))).faults).toEqual([]);
    const [first] = anchors;
    expect((await verify([{ sequence: first?.sequence ?? 0, hash: randomBytes(32) }])).faults).toEqual([
      of("changed", 1),
    ]);
  });
});

/** So many chains of one record each, which began a millisecond apart. */
async function appendChains(count: number): Promise<string[]> {
  const records = Array.from({ length: count }, (_, index) => {
    const writer = uuidv7({ msecs: now + index });
    const about = { partnerId: null, clientId: null, sessionId: null, targetId: null, requestId: "request" };
    const record = {
      ...about,
      action: "results.read",
      outcome: "ok",
      writer,
      sequence: 1,
      at: new Date(now + index),
    };
    return { ...record, hash: computeRecordHash(computeChainStart(writer), record) };
  });
  await database.audit.append(records, signal);
  return records.map(({ writer }) => writer);
}

test("an anchor names every chain that has grown, once, and the next one none of them", async () => {
  const writers = await appendChains(400);
  await anchorHeads();
  const [anchor] = await database.audit.listAnchors(0, 10, signal);
  expect(anchor && parseAnchorContent(anchor).heads.map(([writer]) => writer)).toEqual(writers);
  expect(await anchorHeads()).toBeUndefined();
  expect(await verify()).toMatchObject({ chains: 400, anchors: 1, faults: [] });
});

test("a process that has just started anchors a chain as long as it may grow, to the millisecond", async () => {
  await writeChain(1);
  now += 2 * chainLifetimeMs;
  expect(await new ChainAnchorer(deps()).run(signal)).toMatchObject({ sequence: 1 });
  now += 1;
  expect(await new ChainAnchorer(deps()).run(signal)).toBeUndefined();
});

test("retention keeps the last record of a chain for all the days promised, and removes it afterwards", async () => {
  const trail = newTrail();
  await trail.record([entry()]);
  // The last moment at which the chain takes a record.
  now += chainLifetimeMs - 1;
  await trail.record([entry()]);
  await anchorHeads();
  now += 400 * day;
  await removeOldAudit(deps(), 400, signal);
  expect(await verify()).toMatchObject({ records: 2, chains: 1, faults: [] });
  now += day + 2;
  await removeOldAudit(deps(), 400, signal);
  expect(await verify()).toMatchObject({ records: 0, chains: 0, faults: [] });
});

test("retention removes chains whose last record is old enough, and leaves no fault in the log", async () => {
  const old = await writeChain(3);
  await anchorHeads();
  now += 400 * day;
  await writeChain(2);
  await anchorHeads();
  await removeOldAudit(deps(), 400, signal);
  expect(await verify()).toMatchObject({ records: 5, faults: [] });
  now += 2 * day + 1;
  await removeOldAudit(deps(), 400, signal);
  expect(await countRecords(old)).toBe(0);
  expect(await verify()).toMatchObject({ records: 2, chains: 1, anchors: 2, faults: [] });
});

test("verification does not report retention that runs at the same time, and still reports a deletion by hand", async () => {
  const old = await writeChain(3);
  await anchorHeads();
  now += 403 * day;
  const cut = await writeChain(2);
  await anchorHeads();
  let isOver = false;
  const audit: typeof database.audit = {
    ...database.audit,
    async listChain(...args) {
      // Behind the reading of the anchors and of the chains, and before that of the first record.
      if (!isOver) {
        isOver = true;
        await removeOldAudit(deps(), 400, signal);
        await changeRows("DELETE FROM audit_log WHERE writer = ? AND sequence = 2", uuidToBytes(cut));
      }
      return database.audit.listChain(...args);
    },
  };
  const faults = [{ fault: "cut", writer: cut, sequence: 2 }];
  expect(await verify([], { audit })).toMatchObject({ records: 1, chains: 1, anchors: 2, faults });
  expect(await countRecords(old)).toBe(0);
});

test("verification finds no gap if retention removes anchors while they are read", async () => {
  await anchorChains(4);
  now += 403 * day;
  const anchors = await database.audit.listAnchors(0, 10, signal);
  // As if the first had been read before retention removed it, and the third after that.
  const read = anchors.filter(({ sequence }) => sequence !== 2);
  const audit = { ...database.audit, listAnchors: async (after: number) => (after === 0 ? read : []) };
  expect((await verify([], { audit })).faults).toEqual([]);
});

test("retention removes anchors from before there was a key once a signed one is as old", async () => {
  const unsigned = new ChainAnchorer({ ...deps(), auditKeys: [] });
  const anchorDaily = async (each: ChainAnchorer) => {
    now += day;
    await writeChain(1);
    await each.run(signal);
  };
  await anchorDaily(unsigned);
  await anchorDaily(unsigned);
  now += 401 * day;
  await anchorDaily(anchorer);
  await removeOldAudit(deps(), 400, signal);
  await anchorDaily(anchorer);
  expect((await verify()).faults).toMatchObject([{ fault: "unsigned" }, { fault: "unsigned" }]);
  now += 403 * day;
  await anchorDaily(anchorer);
  await removeOldAudit(deps(), 400, signal);
  expect(await verify()).toMatchObject({ anchors: 3, faults: [] });
});

test("retention removes all anchors that have no records left, even more than it reads at a time", async () => {
  await anchorChains(7);
  now += 403 * day;
  await removeOldAudit({ ...deps(), batchSizes: batchesOf(2) }, 400, signal);
  expect(await verify()).toMatchObject({ anchors: 2, records: 0, chains: 0, faults: [] });
});

test("retention removes all old records, however many there are, and nothing where nothing is old", async () => {
  const records = someChain(2_500);
  for (let first = 0; first < records.length; first += 500) {
    await database.audit.append(records.slice(first, first + 500), signal);
  }
  await removeOldAudit(deps(), 400, signal);
  expect(await verify()).toMatchObject({ records: 2_500, anchors: 0, faults: [] });
  now += 403 * day;
  await removeOldAudit(deps(), 400, signal);
  expect(await verify()).toMatchObject({ records: 0, chains: 0, anchors: 0, faults: [] });
});

test("a process begins another chain after a day", async () => {
  const trail = newTrail();
  await trail.record([entry()]);
  now += chainLifetimeMs - 1;
  await trail.record([entry()]);
  now += 1;
  await trail.record([entry()]);
  expect(await verify()).toMatchObject({ records: 3, chains: 2, faults: [] });
});

test("a process refuses a call that it cannot record, and goes on with a new chain without a fault", async () => {
  let failures = 0;
  const observeAuditFailure = () => {
    failures += 1;
  };
  const trail = new AuditTrail({ audit: database.audit, clock, random: randomBytes, observeAuditFailure });
  await trail.record([entry()]);
  await changeRows("RENAME TABLE audit_log TO audit_log_away");
  await expect(trail.record([entry()])).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
  await changeRows("RENAME TABLE audit_log_away TO audit_log");
  await trail.record([entry()]);
  expect(failures).toBe(1);
  expect(await verify()).toMatchObject({ records: 2, chains: 2, faults: [] });
});

test("a record whose write is repeated is stored once", async () => {
  const records = someChain(2);
  await database.audit.append(records.slice(0, 1), signal);
  await database.audit.append(records.slice(0, 1), signal);
  await database.audit.append(records.slice(1), signal);
  await database.audit.append(records.slice(1), signal);
  expect(await verify()).toMatchObject({ records: 2, faults: [] });
});

test("a cursor that no record can have is refused", async () => {
  const list = (time: number, sequence: number) => {
    const query = { after: `${time}.${someId()}.${sequence}`, pageSize: 0, from: undefined, until: undefined };
    return listAuditRecords(database, { ...query, sessionId: undefined }, { partnerId: someId(), ...deadline });
  };
  const refusal = { violations: [expect.objectContaining({ path: ["after"], code: "invalid_format" })] };
  await expect(list(10 ** 14, 1)).rejects.toMatchObject(refusal);
  await expect(list(1, 10 ** 15)).rejects.toMatchObject(refusal);
  expect((await list(10 ** 14 - 1, 10 ** 15 - 1)).records).toEqual([]);
});
