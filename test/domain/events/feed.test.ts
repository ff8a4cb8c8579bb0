// What a reader of events gets, and how long it waits, over logs in memory.
import { describe, expect, test } from "vitest";
import type { LoggedEvent } from "../../../src/domain/events/event.ts";
import type { EventType } from "../../../src/kernel/event-types.ts";
import { twinOf } from "../../../src/kernel/test-tenant.ts";
import { type FeedQuery, readFeed } from "../../../src/services/events/feed.ts";
import type { LogBounds } from "../../../src/store/events/event-store.ts";
import { at, someId } from "../../support/builders.ts";

const partnerId = someId();
const { signal } = new AbortController();

/** The log of a partner, whose sequences are positions too. */
function feedOf(types: readonly EventType[], bounds: Partial<LogBounds> = {}, of = partnerId) {
  const asked: { after: number; limit: number }[] = [];
  const waits: Promise<void>[] = [];
  const head = types.length;
  const logged = types.map((type, index): LoggedEvent => {
    const [position, sequence] = [index + 1, index + 1];
    const times = { occurredAt: at(index), recordedAt: at(index) };
    return {
      position,
      partnerId: of,
      sequence,
      type,
      occurrence: 1,
      resourceId: someId(),
      assessmentId: 1,
      mode: "headless",
      ...times,
    };
  });
  const list = async (after: number, limit: number) => {
    asked.push({ after, limit });
    const found = logged.filter(({ sequence }) => sequence > after && sequence > (bounds.expired ?? 0));
    const events = found.slice(0, limit);
    return { events, last: events.at(-1)?.sequence ?? after, isEnd: found.length <= limit };
  };
  const ends = async () => ({ expired: 0, head, ...bounds });
  const deps = {
    events: {
      listEvents: (_: string, after: number, limit: number) => list(after, limit),
      findPartnerBounds: ends,
      findExternalIds: async () => new Map(),
    },
    shards: () => [{ name: "", events: { listAllEvents: list, findBounds: ends } }],
    catalogue: { byId: async () => ({ product: "values-bridge", version: 3 }) },
    watch: {
      next: (_: string, until: AbortSignal) =>
        new Promise<void>((resolve) => until.addEventListener("abort", () => resolve())),
      isStopped: false,
    },
    monotonic: () => 0,
  };
  const read = async (query: Partial<FeedQuery> = {}, { isOfAll = false, leftMs = 60_000 } = {}) => {
    const whole = { after: "", pageSize: 0, waitSeconds: 0, types: [], includeExternalId: false, ...query };
    const idle = async (wait: () => Promise<void>) => {
      const over = wait();
      waits.push(over);
      // What the reader waits for happens.
      logged.push({ ...(logged.at(-1) as LoggedEvent), sequence: head + 1, position: head + 1 });
    };
    const { events, next, atEnd } = await readFeed(
      deps as never,
      isOfAll ? undefined : of,
      whole,
      { signal, at: leftMs },
      idle,
    );
    return [events.map(({ event }) => Number(event.sequence)), next, atEnd] as const;
  };
  return { read, asked, waits, deps };
}

const [created, started, completed] = ["session.created", "session.started", "session.completed"] as const;

describe("a page", () => {
  test("goes on behind its cursor, and says whether something follows", async () => {
    const { read } = feedOf([created, started, completed]);
    expect(await read({ pageSize: 2 })).toEqual([[1, 2], "2", false]);
    expect(await read({ pageSize: 2, after: "2" })).toEqual([[3], "3", true]);
    expect(await read({ after: "3" })).toEqual([[], "3", true]);
    expect(await read({ after: "now" })).toEqual([[], "3", true]);
  });

  test("has a hundred events unless it is asked for others; for some types a thousand are looked at", async () => {
    const { read, asked } = feedOf([created]);
    await read();
    await read({ pageSize: 500 });
    await read({ types: [created], pageSize: 5 });
    expect(asked.map(({ limit }) => limit)).toEqual([100, 500, 1_000]);
  });

  test("of some types has those alone, and ends with the last one or behind all that was looked at", async () => {
    const { read } = feedOf([created, started, created, started, completed]);
    expect(await read({ types: [started] })).toEqual([[2, 4], "5", true]);
    expect(await read({ types: [started, created], pageSize: 3 })).toEqual([[1, 2, 3], "3", false]);
    expect(await read({ types: [started], pageSize: 1, after: "2" })).toEqual([[4], "4", false]);
    const code = {
      code: "invalid_request",
      violations: [expect.objectContaining({ path: ["types", 1], code: "unknown_type" })],
    };
    await expect(read({ types: [created, "session.lost"] })).rejects.toMatchObject(code);
  });

  test("begins with the oldest event that is kept; a cursor before that is refused, and so is one ahead", async () => {
    const { read } = feedOf([created, started, completed], { expired: 2 });
    expect(await read()).toEqual([[3], "3", true]);
    expect(await read({ after: "2" })).toEqual([[3], "3", true]);
    await expect(read({ after: "1" })).rejects.toMatchObject({ code: "events_expired", facts: { oldest: "2" } });
    await expect(read({ after: "4" })).rejects.toMatchObject({
      violations: [expect.objectContaining({ code: "cursor_ahead" })],
    });
    expect(await feedOf([created], { expired: 1 }).read()).toEqual([[], "1", true]);
  });

  test("of all partners is without test twins", async () => {
    const twin = twinOf(partnerId) ?? "";
    expect(await feedOf([created, started], {}, twin).read({}, { isOfAll: true })).toEqual([[], "2", true]);
    expect(await feedOf([created, started], {}, twin).read()).toEqual([[1, 2], "2", true]);
    expect(await feedOf([created, started]).read({}, { isOfAll: true })).toEqual([[1, 2], "2", true]);
  });
});

test("whoever finds a part of one log expired goes on behind that, and in other logs where they were", async () => {
  const page = { events: [], atEnd: true };
  const shards = [
    { name: "-80", bounds: { expired: 2, head: 5 } },
    { name: "80-", bounds: { expired: 1, head: 9 } },
  ].map(({ name, bounds }) => {
    const listAllEvents = async (last: number) => ({ events: [], isEnd: true, last });
    return { name, events: { listAllEvents, findBounds: async () => bounds } };
  });
  const { deps } = feedOf([]);
  const read = (after: string) => {
    const query = { after, pageSize: 0, waitSeconds: 0, types: [], includeExternalId: false };
    const within = { signal, at: 60_000 };
    return readFeed({ ...deps, shards: () => shards } as never, undefined, query, within, async (wait) => wait());
  };
  await expect(read("-80:1,80-:7")).rejects.toMatchObject({ facts: { oldest: "-80:2,80-:7" } });
  expect(await read("-80:2,80-:7")).toEqual({ ...page, next: "-80:2,80-:7" });
  expect(await read("")).toEqual({ ...page, next: "-80:2,80-:1" });
  expect(await read("now")).toEqual({ ...page, next: "-80:5,80-:9" });
  await expect(read("-80:5,80-:10")).rejects.toMatchObject({ violations: [{ code: "cursor_ahead" }] });
});

describe("a reader", () => {
  test("waits for what it asked for, and gets it", async () => {
    const { read, waits } = feedOf([created]);
    expect(await read({ after: "1", waitSeconds: 20 })).toEqual([[2], "2", true]);
    expect(waits).toHaveLength(1);
    await Promise.all(waits);
  });

  test.each([
    ["that asks for no wait", 0, 60_000, 0],
    ["whose call has just a second left", 20, 1_000, 0],
    ["whose call has a moment more", 20, 1_001, 1],
  ])("%s", async (_, waitSeconds, leftMs, times) => {
    const { read, waits } = feedOf([created]);
    await read({ after: "1", waitSeconds }, { leftMs });
    expect(waits).toHaveLength(times);
  });
});
