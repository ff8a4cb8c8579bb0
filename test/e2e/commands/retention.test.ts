// pas retention: policies of partners, and what is over.
import { expect, test } from "vitest";
import { uuidToBytes } from "../../../src/database/statement.ts";
import { addCaller } from "../../support/app.ts";
import { countOf } from "../../support/databases/stores.ts";
import { appOfTest } from "../../support/of-test.ts";
import { pasOn } from "../../support/processes/program.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { bodyOf } from "../cases/case.ts";

test("pas retention shows and changes policies, counts what is due, and deletes it", async () => {
  const app = await appOfTest();
  const { token, partnerId } = await addCaller(app);
  const transport = restTransport(app.httpUrl);
  const { sessionId } = bodyOf(await transport.createSession({ token }, {}));
  const { connection } = app.database;
  const parts = { deleteAnswersAfterDays: null, deleteResultsAfterDays: null };
  const ofPartner = { partnerId, mode: "headless", expiresAfterDays: null, deleteCompletedAfterDays: null, ...parts };
  const set = (...days: string[]) => pasOn(app.database, "retention", "set", partnerId, "--mode", "headless", ...days);
  expect(JSON.parse((await set("--open", "2")).stdout)).toEqual({ ...ofPartner, deleteOpenAfterDays: 2 });
  const shown = JSON.parse((await pasOn(app.database, "retention", "show", partnerId)).stdout);
  expect(shown).toMatchObject([{ mode: "headless", deleteOpenAfterDays: 2 }, { mode: "hosted" }]);
  const dryRun = async () => JSON.parse((await pasOn(app.database, "retention", "run", "--dry-run")).stdout);
  expect(await dryRun()).toMatchObject({ policies: [{ partnerId, sessions: 0 }], idempotencyKeys: 0 });
  // Three days old, by its id and its time.
  const older = uuidToBytes("00000000-0001-7000-8000-000000000000");
  await connection.query("UPDATE sessions SET id = ?, created_at = NOW(3) - INTERVAL 3 DAY WHERE id = ?", [
    older,
    uuidToBytes(sessionId),
  ]);
  expect(await dryRun()).toMatchObject({ policies: [{ partnerId, sessions: 1 }] });
  const deleted = JSON.parse((await pasOn(app.database, "retention", "run")).stdout);
  expect(deleted).toMatchObject({ policies: [{ partnerId, sessions: 1 }], idempotencyKeys: 0 });
  expect(await countOf(connection, "SELECT COUNT(*) FROM sessions WHERE id = ?", [older])).toBe(0);
  expect(JSON.parse((await set("--open", "never")).stdout)).toEqual({ ...ofPartner, deleteOpenAfterDays: null });
  const ofParts = await set("--answers", "3", "--results", "9");
  expect(JSON.parse(ofParts.stdout)).toMatchObject({ deleteAnswersAfterDays: 3, deleteResultsAfterDays: 9 });
  expect(await dryRun()).toMatchObject({ policies: [{ partnerId, sessions: 0, answers: 0, results: 0 }] });
  expect(await set("--open", "soon")).toMatchObject({ code: 2, stdout: "" });
});

test("expired idempotency keys are counted, and removed", async () => {
  const app = await appOfTest();
  const { token } = await addCaller(app);
  const { connection } = app.database;
  const as = { token, idempotencyKey: "k" };
  const first = bodyOf(await restTransport(app.httpUrl).createSession(as, {}));
  await connection.query("UPDATE idempotency_keys SET expires_at = NOW(3)");
  const dryRun = JSON.parse((await pasOn(app.database, "retention", "run", "--dry-run")).stdout);
  expect(dryRun).toEqual({ policies: [], idempotencyKeys: 1 });
  expect(JSON.parse((await pasOn(app.database, "retention", "run")).stdout)).toEqual({
    policies: [],
    idempotencyKeys: 1,
  });
  const second = await restTransport(app.httpUrl).createSession(as, {});
  expect(second.replayed).toBe(false);
  expect(bodyOf(second).sessionId).not.toBe(first.sessionId);
});
