// Who causes many lines of the log fills no disk with them, and what is left out is told.
import { expect, test } from "vitest";
import { releaseVersion } from "../../src/kernel/release.ts";
import type { RequestEvent } from "../../src/kernel/telemetry.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { createTelemetry } from "../../src/telemetry/telemetry.ts";
import { someCallEvent } from "../support/builders.ts";

const call = someCallEvent({ outcome: "unauthenticated" });
const request: RequestEvent = {
  route: "/v1/:product/sessions",
  method: "POST",
  status: 401,
  requestId: "one",
  code: "unauthenticated",
  isReported: false,
  seconds: 0.001,
};

function newObservers() {
  const state = { now: 0 };
  const lines: { msg: string; unlogged?: number }[] = [];
  const log = createLogger("info", { write: (line) => lines.push(JSON.parse(line)) });
  const telemetry = createTelemetry(log, { monotonic: () => state.now });
  const { observeCall: ofCalls, observeRequest: ofRequests, scrape } = telemetry;
  return { state, lines, scrape, ofCalls, ofRequests };
}

test("one kind of refusal writes at most 20 log lines a second, and all refusals are counted", async () => {
  const { state, lines, scrape, ofCalls, ofRequests } = newObservers();
  for (let index = 0; index < 1_000; index += 1) {
    ofCalls(call);
    ofRequests(request);
  }
  expect(lines).toHaveLength(20);
  state.now = 1_000;
  ofRequests(request);
  ofCalls(call);
  expect(lines.slice(20).map(({ msg, unlogged }) => [msg, unlogged])).toEqual([
    ["request", 1_980],
    ["call", undefined],
  ]);
  const text = (await scrape()).text;
  expect(text).toMatch(/pas_calls_seconds_count\{[^}]*\} 1001/);
  expect(text).toMatch(/pas_http_requests_seconds_count\{[^}]*\} 1001/);
});

test("every line has its level as a word, the release, and the worker that wrote it", () => {
  const lines: unknown[] = [];
  const write = (line: string) => lines.push(JSON.parse(line));
  createLogger("info", { write }, 3).warn("late");
  createLogger("info", { write }).error("broken");
  expect(lines).toEqual([
    { level: "warn", version: releaseVersion, worker: 3, time: expect.any(String), msg: "late" },
    { level: "error", version: releaseVersion, time: expect.any(String), msg: "broken" },
  ]);
});

test("a flood of one kind hides no line of another", () => {
  const { lines, ofCalls } = newObservers();
  for (let index = 0; index < 100; index += 1) ofCalls(call);
  ofCalls({ ...call, outcome: "internal", cause: new Error("broken") });
  expect(lines).toHaveLength(21);
});
