// What a running service tells of calls that were made: how many, under which labels, and no longer than their callers
// waited. A unit that is wrong by a thousand is longer than that.
import { expect, onTestFinished, test } from "vitest";
import { addCaller } from "../../support/app.ts";
import { someId } from "../../support/builders.ts";
import { seriesOf, sumOf } from "../../support/measures/series.ts";
import { appOfFile } from "../../support/of-file.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { bodyOf } from "../cases/case.ts";

const created = 3;
const startedAt = Date.now();

const app = await appOfFile();

/** Creates sessions, and asks for one that is not there. @returns the seconds that the caller waited for the former */
async function makeCalls(httpUrl: string, token: string): Promise<number> {
  const transport = restTransport(httpUrl);
  onTestFinished(() => transport.close());
  const begin = performance.now();
  for (let count = 0; count < created; count += 1) bodyOf(await transport.createSession({ token }, {}));
  const seconds = (performance.now() - begin) / 1000;
  await transport.getSession({ token }, someId());
  return seconds;
}

/** Holds a histogram to so many values, which took no longer together. */
async function expectTimed(url: string, name: string, labels: readonly string[], count: number, longest: number) {
  expect([name, await sumOf(url, `${name}_count`, ...labels)]).toEqual([name, count]);
  const seconds = await sumOf(url, `${name}_sum`, ...labels);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(longest);
}

test("durations of calls, requests and statements are measured by rpc, route or statement, and by outcome", async () => {
  const { token, credentials } = await addCaller(app);
  const seconds = await makeCalls(app.httpUrl, token);
  const url = app.httpUrl;
  const rpc = 'rpc="SessionService/CreateSession"';
  await expectTimed(url, "pas_calls_seconds", [rpc, 'transport="rest"', 'outcome="ok"'], created, seconds);
  const route = ['route="/v1/:product/sessions"', 'method="POST"', 'status="201"'];
  await expectTimed(url, "pas_http_requests_seconds", route, created, seconds);
  await expectTimed(url, "pas_statements_seconds", ['statement="INSERT sessions"'], created, seconds);
  const missing = ['rpc="SessionService/GetSession"', 'transport="rest"', 'outcome="not_found"'];
  expect(await sumOf(url, "pas_calls_seconds_count", ...missing)).toBe(1);
  const client = `client_id="${credentials.clientId}"`;
  expect(await sumOf(url, "pas_client_calls_total", client, 'class="ok"')).toBe(created);
  expect(await sumOf(url, "pas_client_calls_total", client, 'class="refused"')).toBe(1);
  const events = () => sumOf(url, "pas_sessions_total", 'mode="headless"', 'event="created"');
  await expect.poll(events).toBe(created);
});

test("jobs report no more seconds than the service runs, and a last success since its start", async () => {
  const succeeded = () =>
    sumOf(app.httpUrl, "pas_job_seconds_count", 'background_job="event-sequencer"', 'outcome="ok"');
  await expect.poll(succeeded).toBeGreaterThan(9);
  const url = app.httpUrl;
  const took = await sumOf(url, "pas_job_seconds_sum", 'background_job="event-sequencer"');
  expect(took).toBeLessThanOrEqual((Date.now() - startedAt) / 1000);
  const successes = await seriesOf(url, "pas_job_last_success_timestamp_seconds");
  for (const at of successes.values()) {
    expect(at).toBeGreaterThanOrEqual(startedAt / 1000);
    expect(at).toBeLessThanOrEqual(Date.now() / 1000);
  }
  const intervals = await seriesOf(url, "pas_job_interval_seconds");
  expect([...intervals.keys()].toSorted()).toEqual([...successes.keys()].toSorted());
  expect(intervals.get('{background_job="maintenance"}')).toBe(300);
});
