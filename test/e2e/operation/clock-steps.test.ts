// The clock of the host set forward and back while the service runs: time is the database's, and so nothing happens.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addCaller } from "../../support/app.ts";
import { appOfFile } from "../../support/of-file.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { answer, bodyOf } from "../cases/case.ts";

const hour = 3_600_000;
const burst = 40;
/** Between two moments of a test, however slow the machine is: no step is as short. */
const aWhile = hour / 2;

const app = await appOfFile({ RATE_LIMIT_PER_MINUTE: String(burst), RATE_LIMIT_BURST: String(burst) });

let now: number;
// Of time, nothing but the date is the test's: timers run as ever.
beforeEach(() => {
  now = Date.now();
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sets the clock of the host so far from the right time. */
function setOff(ms: number): void {
  vi.setSystemTime(now + ms);
}

const steps = [hour, 24 * hour, -hour, -24 * hour, 0];

async function newSession(token: string) {
  const transport = restTransport(app.httpUrl);
  const { sessionId } = bodyOf(await transport.createSession({ token }, {}));
  bodyOf(await transport.completeSession({ token }, sessionId, { answers: [answer(1001, 4)] }));
  return bodyOf(await transport.getSession({ token }, sessionId));
}

test("a session has the right times, while the clock is off and after it was put right", async () => {
  const { token } = await addCaller(app);
  for (const step of steps) {
    setOff(step);
    const { createdAt, completedAt } = await newSession(token);
    expect(Math.abs(Date.parse(createdAt) - now)).toBeLessThan(aWhile);
    expect(Math.abs(Date.parse(completedAt ?? "") - now)).toBeLessThan(aWhile);
  }
});

test("a session is never completed before it was created, though another process may have made it by a clock ahead", async () => {
  const { token } = await addCaller(app);
  const transport = restTransport(app.httpUrl);
  const { sessionId } = bodyOf(await transport.createSession({ token }, {}));
  // This process knows what it has created, until the revision is another one.
  const sql = `UPDATE sessions SET created_at = created_at + INTERVAL 1 HOUR, revision = revision + 1 WHERE id = UNHEX(?)`;
  await app.database.connection.query(sql, [sessionId.replaceAll("-", "")]);
  bodyOf(await transport.completeSession({ token }, sessionId, { answers: [answer(1001, 4)] }));
  const { createdAt, completedAt } = bodyOf(await transport.getSession({ token }, sessionId));
  expect(completedAt).toBe(createdAt);
});

test("a token ends by the database's time, also where the clock of the host was set back", async () => {
  const { token } = await addCaller(app);
  setOff(-24 * hour);
  // The service knows the database's time to some milliseconds.
  await app.database.connection.query("UPDATE access_tokens SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND");
  expect(await restTransport(app.httpUrl).getPublishedAssessment({ token })).toMatchObject({ code: "unauthenticated" });
});

test("a limit that is used up is neither freed nor prolonged by a step of the clock", async () => {
  const { token } = await addCaller(app);
  const transport = restTransport(app.httpUrl);
  for (let count = 0; count < burst; count += 1) bodyOf(await transport.getPublishedAssessment({ token }));
  for (const step of steps) {
    setOff(step);
    expect(await transport.getPublishedAssessment({ token })).toMatchObject({ ok: false, code: "rate_limited" });
  }
});
