// What partners and operators read page by page: where a page ends, what its cursor says, and what it is refused for.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import type { AuditPosition, AuditRange } from "../../src/domain/audit/record.ts";
import { ParkedEventState, WebhookOutcome } from "../../src/gen/assessment/v1/webhook_service_pb.ts";
import { twinOf } from "../../src/kernel/test-tenant.ts";
import { listAuditRecords } from "../../src/services/audit/audit-service.ts";
import { listClients, listPartners } from "../../src/services/identity/partners.ts";
import { getUsage } from "../../src/services/usage/usage.ts";
import { listAttempts, listParked, outcomeOf, stateOf } from "../../src/services/webhooks/delivery-log.ts";
import type { UsageDay, UsageKey, UsageRange } from "../../src/store/usage/usage-store.ts";
import { at, someChain, someEndpoint, someId } from "../support/builders.ts";

const deadline = { signal: new AbortController().signal, at: Number.MAX_SAFE_INTEGER };
const partnerId = someId();
const { SUCCEEDED, FAILED } = WebhookOutcome;
const { RETRYING, WAITING, DEAD } = ParkedEventState;
const refused = (path: string, code: string) => ({
  code: "invalid_request",
  violations: expect.arrayContaining([expect.objectContaining({ path: [path], code })]),
});

/** Reads all pages. @returns their entries, page by page; throws where a cursor leads back */
async function pagesOf<T>(read: (cursor: string) => Promise<readonly [readonly T[], string]>): Promise<T[][]> {
  const pages: T[][] = [];
  const seen = new Set<string>();
  for (let cursor = ""; !seen.has(cursor); ) {
    seen.add(cursor);
    const [entries, next] = await read(cursor);
    pages.push([...entries]);
    if (next === "") return pages;
    cursor = next;
  }
  throw new Error("a cursor leads back");
}

describe("the log of deliveries", () => {
  const endpoint = someEndpoint(partnerId);
  const asked: { from: number; limit: number }[] = [];
  /** Events 1 to `count`: a third is taken, or dead. */
  const webhooksWith = (count: number) => {
    const rows = Array.from({ length: count }, (_, index) => ({ id: index + 1, sequence: index + 1 }));
    const third = ({ id }: { id: number }) => id % 3 === 0;
    return {
      findEndpoint: async (of: string, id: string) => (of === partnerId && id === endpoint.id ? endpoint : undefined),
      async listAttempts(_: object, before: number, limit: number) {
        asked.push({ from: before, limit });
        const found = rows.toReversed().filter(({ id }) => id < before);
        return found.slice(0, limit).map((row) => ({ ...row, at: at(0), event: null, status: third(row) ? 204 : 500 }));
      },
      async listParked(_: object, after: number, limit: number) {
        asked.push({ from: after, limit });
        const found = rows.filter(({ sequence }) => sequence > after);
        return found.slice(0, limit).map((row) => {
          return { ...row, event: null, nextAt: null, deadAt: third(row) ? at(0) : null };
        });
      },
    };
  };
  const reading =
    (list: typeof listAttempts | typeof listParked, count: number, query: object) => async (after: string) => {
      const all = { endpointId: endpoint.id, pageSize: 2, outcome: 0, state: 0, ...query, after };
      const page = await list({ webhooks: webhooksWith(count) } as never, partnerId, all as never, deadline);
      const entries = "attempts" in page ? page.attempts : page.events;
      return [entries.map(({ sequence }) => Number(sequence)), page.next] as const;
    };

  test.each([
    [0, [[]]],
    [1, [[1]]],
    [2, [[2, 1], []]],
    [3, [[3, 2], [1]]],
  ])("has %i attempts, the latest first", async (count, pages) => {
    expect(await pagesOf(reading(listAttempts, count, {}))).toEqual(pages);
  });

  test.each([
    [2, [[1, 2], []]],
    [3, [[1, 2], [3]]],
  ])("has %i parked events in their order", async (count, pages) => {
    expect(await pagesOf(reading(listParked, count, {}))).toEqual(pages);
  });

  test("of one outcome or state has those alone, a page of them at a time", async () => {
    expect(await pagesOf(reading(listAttempts, 10, { outcome: SUCCEEDED }))).toEqual([[9, 6], [3]]);
    expect(await pagesOf(reading(listAttempts, 9, { outcome: FAILED }))).toEqual([
      [8, 7],
      [5, 4],
      [2, 1],
    ]);
    expect(await pagesOf(reading(listParked, 9, { state: DEAD }))).toEqual([[3, 6], [9]]);
    expect(await pagesOf(reading(listParked, 7, { state: WAITING }))).toEqual([[1, 2], [4, 5], [7]]);
    expect(await pagesOf(reading(listParked, 9, { state: RETRYING }))).toEqual([[]]);
  });

  test("of one outcome goes on behind a thousand others", async () => {
    const pages = await pagesOf(reading(listAttempts, 1_501, { outcome: SUCCEEDED, pageSize: 500 }));
    expect(pages.map(({ length }) => length)).toEqual([333, 167]);
    expect(asked.slice(-2)).toEqual([
      { from: Number.MAX_SAFE_INTEGER, limit: 1_000 },
      { from: 502, limit: 1_000 },
    ]);
  });

  test("has a hundred entries on a page unless it is asked for others", async () => {
    const [page] = await pagesOf(reading(listAttempts, 101, { pageSize: 0 }));
    expect(page).toHaveLength(100);
    await expect(reading(listParked, 1, {})("x")).rejects.toMatchObject(refused("after", "invalid_format"));
    const query = { endpointId: someId(), after: "", pageSize: 0, outcome: WebhookOutcome.UNSPECIFIED };
    const other = listAttempts({ webhooks: webhooksWith(1) } as never, partnerId, query, deadline);
    await expect(other).rejects.toMatchObject({ code: "not_found" });
  });

  test("says what became of each", () => {
    for (const status of [200, 204, 299]) expect(outcomeOf({ status })).toBe(SUCCEEDED);
    for (const status of [199, 300, null]) expect(outcomeOf({ status })).toBe(FAILED);
    expect(stateOf({ nextAt: at(0), deadAt: null })).toBe(RETRYING);
    expect(stateOf({ nextAt: null, deadAt: null })).toBe(WAITING);
    expect(stateOf({ nextAt: at(0), deadAt: at(0) })).toBe(DEAD);
  });
});

describe("usage", () => {
  const ids = [partnerId, twinOf(someId()) ?? "", someId()];
  const none = { created: 0, started: 0, completed: 0, cancelled: 0, expired: 0, erased: 0 };
  const days: UsageDay[] = ids.flatMap((id) => [
    { ...none, day: "2026-11-20", partnerId: id, mode: "hosted" },
    { ...none, day: "2026-11-20", partnerId: id, mode: null },
  ]);
  const asked: { range: UsageRange; after: UsageKey | null; limit: number }[] = [];
  const usage = (query: object, pageToken = "") => {
    const deps = {
      usage: {
        async listUsage(range: UsageRange, after: UsageKey | null, limit: number) {
          asked.push({ range, after, limit });
          const begin = days.findIndex(({ partnerId: id, mode }) => id === after?.partnerId && mode === after.mode) + 1;
          return days.slice(begin, begin + limit);
        },
        findCountedAt: async () => at(5),
      },
      identities: { findPartner: async (id: string) => (id === partnerId ? { id } : undefined) },
      clock: () => at(1).getTime(),
    };
    const all = { partnerId: "", from: "", until: "", pageSize: 0, pageToken, ...query };
    return getUsage({ ...deps, shards: () => [deps] } as never, all, deadline);
  };

  test("is of the thirty days up to today, unless days are asked for", async () => {
    const rangeOf = async (query: object) => {
      await usage(query);
      return asked.at(-1)?.range;
    };
    const range = { partnerId: undefined, from: "2026-10-22", until: "2026-11-21" };
    expect(await rangeOf({})).toEqual(range);
    expect(await rangeOf({ until: "2026-03-02" })).toEqual({ ...range, from: "2026-01-31", until: "2026-03-02" });
    expect(await rangeOf({ from: "2026-11-20", partnerId })).toEqual({ ...range, from: "2026-11-20", partnerId });
    await expect(usage({ partnerId: someId() })).rejects.toMatchObject({ code: "not_found" });
  });

  test("goes on behind each day, partner and mode; test twins are in no list of all partners", async () => {
    const read = async (query: object, cursor: string) => {
      const page = await usage(query, cursor);
      expect(page.countedAt).toEqual(at(5));
      return [page.days.map((day) => days.indexOf(day)), page.nextPageToken] as const;
    };
    expect(await pagesOf((cursor) => read({ pageSize: 1 }, cursor))).toEqual([[0], [1], [], [], [4], [5]]);
    expect(await pagesOf((cursor) => read({ pageSize: 5 }, cursor))).toEqual([[0, 1, 4], [5]]);
    expect(await pagesOf((cursor) => read({ pageSize: 6 }, cursor))).toEqual([[0, 1, 4, 5]]);
    expect(await pagesOf((cursor) => read({ partnerId }, cursor))).toEqual([[0, 1, 2, 3, 4, 5]]);
    expect(asked.at(-1)?.limit).toBe(1_001);
  });

  test("of all shards is in one order, from page to page, and counted as far as all of them are", async () => {
    const [first, second] = [someId(), someId()];
    const inOrder: UsageDay[] = [first, second].flatMap((id) =>
      ([null, "headless", "hosted"] as const).map((mode) => ({ ...none, day: "2026-11-20", partnerId: id, mode })),
    );
    inOrder.push({ ...none, day: "2026-11-21", partnerId: first, mode: null });
    const placeOf = (key: UsageKey | null) =>
      inOrder.findIndex(
        ({ day, partnerId: id, mode }) => `${day} ${id} ${mode}` === `${key?.day} ${key?.partnerId} ${key?.mode}`,
      );
    const shardOf = (id: string, countedAt: Date | null) => ({
      usage: {
        listUsage: async (_: UsageRange, after: UsageKey | null, limit: number) =>
          inOrder.filter((day) => day.partnerId === id && placeOf(day) > placeOf(after)).slice(0, limit),
        findCountedAt: async () => countedAt,
      },
    });
    const read = async (pageSize: number, times: readonly (Date | null)[], pageToken = "") => {
      const shards = [shardOf(second, times[0] ?? null), shardOf(first, times[1] ?? null)];
      const query = { partnerId: "", from: "", until: "", pageSize, pageToken };
      const deps = { shards: () => shards, clock: () => at(1).getTime() };
      return getUsage(deps as never, query, deadline);
    };
    for (const size of [1, 2, 3, 7, 8]) {
      const pages = await pagesOf(async (cursor) => {
        const page = await read(size, [at(5), at(6)], cursor);
        return [page.days.map(placeOf), page.nextPageToken] as const;
      });
      expect(pages.flat()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    }
    const countedAt = async (...times: (Date | null)[]) => (await read(1, times)).countedAt;
    expect([await countedAt(at(5), at(6)), await countedAt(at(6), at(5))]).toEqual([at(5), at(5)]);
    expect([await countedAt(at(5), null), await countedAt(null, at(5)), await countedAt(null, null)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test.each([
    "x",
    "2026-11-20",
    `2026-11-31.${partnerId}.hosted`,
    `2026-11-20.${partnerId}.any`,
    "2026-11-20.x.hosted",
  ])("begins nowhere with the token %s", async (token) => {
    await expect(usage({}, token)).rejects.toMatchObject(refused("pageToken", "invalid_format"));
  });
});

describe("the audit log", () => {
  const records = someChain(3, { partnerId }).toReversed();
  const asked: { range: AuditRange; limit: number; sessionId: string | undefined }[] = [];
  const isAfter = (before: AuditPosition) => (each: AuditPosition) =>
    each.at < before.at || (each.at.getTime() === before.at.getTime() && each.sequence < before.sequence);
  const list = async (changes: object, after = "") => {
    const read = async (range: AuditRange, limit: number, sessionId: string | undefined) => {
      asked.push({ range, limit, sessionId });
      return records.filter(isAfter(range.before)).slice(0, limit);
    };
    const audit = {
      listRecords: (_: string, id: string | undefined, range: AuditRange, limit: number) => read(range, limit, id),
    };
    const query = { pageSize: 0, from: undefined, until: undefined, sessionId: undefined, ...changes, after };
    const page = await listAuditRecords({ audit }, partnerId, query, deadline);
    return [page.records.map(({ sequence }) => Number(sequence)), page.next] as const;
  };

  test("is read from the latest record on, from one cursor to the next", async () => {
    expect(await pagesOf((cursor) => list({ pageSize: 1 }, cursor))).toEqual([[3], [2], [1]]);
    expect(await pagesOf((cursor) => list({ pageSize: 2 }, cursor))).toEqual([[3, 2], [1]]);
    expect(await pagesOf((cursor) => list({ pageSize: 3 }, cursor))).toEqual([[3, 2, 1]]);
    expect(asked.at(-1)).toMatchObject({ limit: 4, range: { from: new Date(0) } });
    await list({});
    expect(asked.at(-1)?.limit).toBe(101);
    await list({ from: timestampFromDate(at(1)) });
    expect(asked.at(-1)?.range.from).toEqual(at(1));
  });

  test("goes on behind the very record that its cursor is of", async () => {
    const [, next] = await list({ pageSize: 2 });
    await list({}, next);
    const { at: time, writer, sequence } = records[1] ?? {};
    expect(asked.at(-1)?.range.before).toEqual({ at: time, writer, sequence });
  });

  test("ends before a time that is asked for, wherever its cursor leads", async () => {
    expect(await list({ until: timestampFromDate(at(2)) })).toEqual([[2, 1], ""]);
    const [, next] = await list({ pageSize: 2 });
    expect(await list({ until: timestampFromDate(at(1)) }, next)).toEqual([[1], ""]);
    expect(await list({ until: timestampFromDate(at(0)) }, next)).toEqual([[], ""]);
  });

  test("of one session is asked for by its id, however that is written", async () => {
    const sessionId = someId();
    await list({ sessionId: sessionId.toUpperCase() });
    expect(asked.at(-1)).toMatchObject({ sessionId, limit: 101 });
  });

  test("has no place that no cursor of it could name", async () => {
    const cursor = (time: bigint, sequence: bigint) => {
      const bytes = Buffer.alloc(32);
      bytes.writeBigUInt64BE(time, 0);
      bytes.writeBigUInt64BE(sequence, 24);
      return bytes.toString("base64url");
    };
    const latest = BigInt(Date.UTC(9999, 11, 31));
    await expect(list({}, cursor(latest + 1n, 1n))).rejects.toMatchObject(refused("after", "invalid_format"));
    await expect(list({}, cursor(latest, 2n ** 53n))).rejects.toMatchObject(refused("after", "invalid_format"));
    expect(await list({}, cursor(latest, 2n ** 53n - 1n))).toEqual([[3, 2, 1], ""]);
  });
});

describe.each([
  ["partners", listPartners, "partners"],
  ["clients of a partner", listClients, "clients"],
] as const)("%s", (_, list, member) => {
  const ids = [someId(), someId(), someId()];
  const asked: [string, number][] = [];
  const read = async (pageToken: string, pageSize: number) => {
    const find = async (after: string, limit: number) => {
      asked.push([after, limit]);
      return ids
        .filter((id) => id > after)
        .slice(0, limit)
        .map((id) => ({ id }));
    };
    const identities = {
      listPartners: find,
      listClients: (_: string, after: string, limit: number) => find(after, limit),
      findPartner: async (id: string) => (id === partnerId ? { id } : undefined),
    };
    const page = await list({ identities } as never, { partnerId, pageToken, pageSize }, deadline);
    const entries = (page as unknown as Record<typeof member, { id: string }[]>)[member];
    return [entries.map(({ id }) => ids.indexOf(id)), page.nextPageToken] as const;
  };

  test("are read from one page to the next", async () => {
    expect(await pagesOf((token) => read(token, 1))).toEqual([[0], [1], [2]]);
    expect(await pagesOf((token) => read(token, 2))).toEqual([[0, 1], [2]]);
    expect(await pagesOf((token) => read(token, 3))).toEqual([[0, 1, 2]]);
    expect(asked.at(-1)).toEqual(["00000000-0000-0000-0000-000000000000", 4]);
    await read("", 0);
    expect(asked.at(-1)?.[1]).toBe(101);
  });

  test("come from a place that the service named", async () => {
    await expect(read("x", 0)).rejects.toMatchObject(refused("pageToken", "invalid_format"));
  });
});
