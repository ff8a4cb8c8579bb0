// The system's clock set forward and back while the service runs: what lasts, lasts as long as it should.
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { createLogger } from "../../src/telemetry/logger.ts";
import { addCaller, type Credentials, startTestApp, type TestApp } from "../support/app.ts";
import { restDoor } from "../support/rest-door.ts";
import { answer, bodyOf } from "./cases/case.ts";

const hour = 3_600_000;
const burst = 40;
/** Clocks of the service go on while the date of the tests stands still. */
const tolerance = 20_000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_PER_MINUTE: String(burst), RATE_LIMIT_BURST: String(burst) });
});
afterAll(() => app.stop());
// Of time, nothing but the date is the test's: timers run as ever.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  setForwardBy(0);
});
afterEach(() => {
  vi.useRealTimers();
});

/** The latest time that the service has seen: its own clock is never before that. */
let latest = 0;

function setForwardBy(ms: number): void {
  latest = Math.max(latest, Date.now()) + ms;
  vi.setSystemTime(latest);
}

function setBackBy(ms: number): void {
  vi.setSystemTime(Date.now() - ms);
}

async function revoke(httpUrl: string, { clientId, clientSecret }: Credentials, token: string): Promise<void> {
  const body = new URLSearchParams({ token, client_id: clientId, client_secret: clientSecret });
  expect((await fetch(`${httpUrl}/oauth/revoke`, { method: "POST", body })).status).toBe(200);
}

test("of two sessions the one completed later is the latest, even if the clock was set back in between", async () => {
  const { token } = await addCaller(app);
  const door = restDoor(app.httpUrl);
  const externalId = crypto.randomUUID();
  for (const backBy of [hour, 24 * hour, 1]) {
    const { sessionId } = bodyOf(await door.createSession({ token }, { subject: { externalId } }));
    bodyOf(await door.completeSession({ token }, sessionId, [answer(1001, 4)]));
    expect(bodyOf(await door.getLatestResults({ token }, externalId)).sessionId).toBe(sessionId);
    setBackBy(backBy);
  }
});

test("a limit that is used up is neither freed nor prolonged by a step of the clock", async () => {
  const { token } = await addCaller(app);
  const door = restDoor(app.httpUrl);
  for (let count = 0; count < burst; count += 1) bodyOf(await door.getAssessment({ token }));
  const isUsedUp = async () =>
    expect(await door.getAssessment({ token })).toMatchObject({ ok: false, code: "rate_limited" });
  await isUsedUp();
  setForwardBy(hour / 2);
  await isUsedUp();
  setBackBy(24 * hour);
  await isUsedUp();
});

test("a token ends with its hour, and a clock that is set back after that does not revive it", async () => {
  const { token } = await addCaller(app);
  const door = restDoor(app.httpUrl);
  bodyOf(await door.getAssessment({ token }));
  setForwardBy(hour + tolerance);
  expect(await door.getAssessment({ token })).toMatchObject({ code: "unauthenticated" });
  setBackBy(hour);
  expect(await door.getAssessment({ token })).toMatchObject({ code: "unauthenticated" });
});

test("a token that was revoked at one process is refused by another within 30 seconds", async () => {
  const { token, credentials } = await addCaller(app);
  const config = readConfig({ HTTP_PORT: "0", GRPC_PORT: "0", LOG_LEVEL: "silent" });
  const other = await startApp({ config, role: "all", database: app.database.address, log: createLogger("silent") });
  const [here, there] = [restDoor(app.httpUrl), restDoor(other.httpUrl)];
  bodyOf(await there.getAssessment({ token }));
  await revoke(app.httpUrl, credentials, token);
  expect(await here.getAssessment({ token })).toMatchObject({ code: "unauthenticated" });
  setForwardBy(30_000 + tolerance);
  expect(await there.getAssessment({ token })).toMatchObject({ code: "unauthenticated" });
  await other.stop();
});
