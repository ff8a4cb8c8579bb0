// A write that was stored while its answer was lost: the caller hears `unavailable`, and the identical retry succeeds.

import { expect, test } from "vitest";
import { addCaller } from "../support/app.ts";
import { proxyBefore } from "../support/databases/proxied-database.ts";
import { countOf } from "../support/databases/stores.ts";
import { appOfFile } from "../support/of-file.ts";
import { processOfTest } from "../support/of-test.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { answer, bodyOf } from "./cases/case.ts";

const app = await appOfFile();

/**
 * What the process does by itself meanwhile, it does rarely: its statements would be lost in the place of the call's.
 */
const rarely = { EVENT_INTERVAL_MS: "10000" };

/** Another process over the same database, whose answers can be lost on the way. */
async function openLossy() {
  const { proxy, url } = await proxyBefore(app.database.address);
  const lossy = await processOfTest({ url }, rarely);
  /** Loses the answer of the first matching statement, and every further try of it. */
  const loseAnswers = (pattern: RegExp) => {
    let isStored = false;
    proxy.choose = (statement) => {
      if (!pattern.test(statement)) return undefined;
      const cut = isStored ? "request" : "answer";
      isStored = true;
      return cut;
    };
  };
  const restore = () => {
    proxy.choose = () => undefined;
  };
  return { lossy, loseAnswers, restore };
}

test("creation with a key, answers and completion succeed when they are repeated, and count once", async () => {
  const { token } = await addCaller(app);
  const { lossy, loseAnswers, restore } = await openLossy();
  const transport = restTransport(lossy.httpUrl);
  const as = { token, idempotencyKey: "lost" };
  const unavailable = { ok: false, code: "unavailable", retryAfterSeconds: 1 };
  // Statements and the assessment are at hand, so that nothing but the write itself is lost.
  bodyOf(await transport.createSession({ token }, {}));

  loseAnswers(/^insert into sessions/i);
  const input = { subject: { externalId: "lost" } };
  expect(await transport.createSession(as, input)).toMatchObject(unavailable);
  restore();
  const repeated = await transport.createSession(as, input);
  expect(repeated.replayed).toBe(true);
  const { sessionId } = bodyOf(repeated);
  const count = "SELECT COUNT(*) FROM sessions WHERE external_id = ?";
  expect(await countOf(app.database.connection, count, [Buffer.from("lost")])).toBe(1);

  const answers = [answer(1001, 4), answer(1002, 2)];
  loseAnswers(/^update sessions/i);
  expect(await transport.recordAnswers({ token }, sessionId, { answers })).toMatchObject(unavailable);
  restore();
  expect(bodyOf(await transport.recordAnswers({ token }, sessionId, { answers })).recorded).toBe(2);

  loseAnswers(/^update sessions/i);
  expect(await transport.completeSession({ token }, sessionId, { answers: [answer(1003, 7)] })).toMatchObject(
    unavailable,
  );
  const stored = bodyOf(await transport.getSessionResults({ token }, sessionId)).results;
  restore();
  expect(bodyOf(await transport.completeSession({ token }, sessionId, { answers: [answer(1003, 7)] })).results).toEqual(
    stored,
  );
  expect(await transport.completeSession({ token }, sessionId, { answers: [answer(1003, 6)] })).toMatchObject({
    code: "session_completed",
  });
  transport.close();
});
