// How many violations of a body are told: all of those of a body up to 128 KiB, the first one of a longer one.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addCaller, startTestApp, type TestApp } from "../support/app.ts";

const explainedBytes = 128 * 1024;
/** Both members have the wrong type. */
const wrong = '{"subject":1,"mode":2}';

let app: TestApp;
let token: string;
beforeAll(async () => {
  app = await startTestApp();
  ({ token } = await addCaller(app));
});
afterAll(() => app.stop());

test.each([
  ["explained to its last member", explainedBytes, 2],
  ["searched for its first violation", explainedBytes + 1, 1],
])("a body is %s: one of %i bytes", async (_, bytes, violations) => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = wrong.padEnd(bytes);
  const response = await fetch(`${app.httpUrl}/v1/values-bridge/sessions`, { method: "POST", headers, body });
  const problem = (await response.json()) as { code: string; errors: unknown[]; errorsTruncated?: true };
  const { code, errors, errorsTruncated = false } = problem;
  expect([code, errors.length, errorsTruncated]).toEqual(["invalid_request", violations, violations === 1]);
});
