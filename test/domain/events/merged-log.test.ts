// The logs of several shards as one: all of each in its order, whatever the size of pages, and no event twice.
import { expect, test } from "vitest";
import type { LoggedEvent } from "../../../src/domain/events/event.ts";
import type { LogPosition } from "../../../src/domain/events/event-cursor.ts";
import { readFeed } from "../../../src/services/events/event-service.ts";
import { type Log, readMerged, readPosition } from "../../../src/services/events/merged-log.ts";
import { someCall } from "../../support/dependencies.ts";

/** A log whose events were recorded at these times; those of time 0 are of nobody who reads. */
function logOf(name: string, times: readonly number[]): Log {
  const all = times.map(
    (time, index): LoggedEvent => ({
      position: index + 1,
      partnerId: name,
      sequence: index + 1,
      type: index % 2 === 0 ? "session.created" : "session.completed",
      occurrence: 1,
      resourceId: `${name} ${index + 1}`,
      assessmentId: 1,
      mode: "headless",
      occurredAt: new Date(time),
      recordedAt: new Date(time),
    }),
  );
  return {
    name,
    listEvents: async (after, limit) => all.filter(({ position }) => position > after).slice(0, limit),
    findBounds: async () => ({ lastExpired: 0, lastNumber: all.length }),
    getNumber: ({ position }) => position,
  };
}

const logs = [logOf("-40", [10, 40, 0, 41, 90]), logOf("40-80", []), logOf("80-", [20, 5, 60, 0])];
const inOrder = ["-40 1", "80- 1", "80- 2", "-40 2", "-40 4", "80- 3", "-40 5"];
const every = ({ recordedAt }: LoggedEvent) => recordedAt.getTime() > 0;
const isOf = (name: string) => (id: string) => id.startsWith(`${name} `);

test("a page of all logs is in the order of time, and of each log in its own", async () => {
  const { events } = await readMerged(logs, undefined, 100, 100, every);
  expect(events.map(({ resourceId }) => resourceId)).toEqual(inOrder);
});

test.each([1, 2, 3, 100])(
  "pages of %i have every event once, in the order of time and of its own log",
  async (size) => {
    const read: string[] = [];
    let position: LogPosition | undefined;
    for (let isEnd = false; !isEnd; ) {
      const page = await readMerged(logs, position, size, size, every);
      expect(page.events.length).toBeLessThanOrEqual(size);
      read.push(...page.events.map(({ resourceId }) => resourceId));
      ({ last: position, isEnd } = page);
    }
    expect(read.toSorted()).toEqual(inOrder.toSorted());
    for (const { name } of logs) expect(read.filter(isOf(name))).toEqual(inOrder.filter(isOf(name)));
    expect(position).toEqual(await readPosition(logs, "now"));
  },
);

test("a page of some types ends behind the last that it has, and the next one begins there", async () => {
  const isCompleted = (event: LoggedEvent) => every(event) && event.type === "session.completed";
  const first = await readMerged(logs, undefined, 100, 2, isCompleted);
  expect(first.events.map(({ resourceId }) => resourceId)).toEqual(["80- 2", "-40 2"]);
  expect(first).toMatchObject({
    isEnd: false,
    last: new Map([
      ["-40", 2],
      ["40-80", 0],
      ["80-", 2],
    ]),
  });
  const second = await readMerged(logs, first.last, 100, 2, isCompleted);
  expect(second.events.map(({ resourceId }) => resourceId)).toEqual(["-40 4"]);
  expect(second.isEnd).toBe(true);
});

test("logs of a divided shard continue at its number, and a cursor of other logs is refused", async () => {
  const find = async (cursor: string) => [...((await readPosition(logs, cursor)) ?? [])].flat().join(" ");
  expect(await find("-80:7,80-:3")).toBe("-40 7 40-80 7 80- 3");
  expect(await find("5")).toBe("-40 5 40-80 5 80- 5");
  await expect(find("-80:7")).rejects.toMatchObject({ violations: [{ code: "invalid_format" }] });
});

test("a reader that finds a part of one log expired continues behind it, and in other logs where it was", async () => {
  const shards = [
    { name: "-80", bounds: { lastExpired: 2, lastNumber: 5 } },
    { name: "80-", bounds: { lastExpired: 1, lastNumber: 9 } },
  ].map(({ name, bounds }) => {
    const listAllEvents = async () => [];
    return { name, events: { listAllEvents, findBounds: async () => bounds } };
  });
  const watch = { waitForChange: async () => undefined, isStopped: false };
  const deps = { shards: () => shards, watch, monotonic: () => 0 } as never;
  const within = { ...someCall("partner"), endsAt: 60_000 };
  const read = (after: string) => {
    const query = { after, pageSize: 0, waitSeconds: 0, types: [], includeExternalId: false };
    return readFeed(deps, undefined, query, within);
  };
  const page = { events: [], atEnd: true };
  await expect(read("-80:1,80-:7")).rejects.toMatchObject({ metadata: { oldest: "-80:2,80-:7" } });
  expect(await read("-80:2,80-:7")).toEqual({ ...page, next: "-80:2,80-:7" });
  expect(await read("")).toEqual({ ...page, next: "-80:2,80-:1" });
  expect(await read("now")).toEqual({ ...page, next: "-80:5,80-:9" });
  await expect(read("-80:5,80-:10")).rejects.toMatchObject({ violations: [{ code: "cursor_ahead" }] });
});
