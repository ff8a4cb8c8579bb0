// Over Connect a refusal speaks of names as messages of protobuf have them, and names the member that is wrong.

import { expect, test } from "vitest";
import { addCaller } from "../../support/app.ts";
import { appOfFile } from "../../support/of-file.ts";

const app = await appOfFile();
const { token } = await addCaller(app);

const statuses = /SESSION_STATUS_IN_PROGRESS, SESSION_STATUS_COMPLETED/;

test.each<[name: string, body: object, words: RegExp]>([
  ["a number that an enum does not have", { status: 99 }, statuses],
  ["a word of REST", { status: "in_progress" }, statuses],
  ["a time without a zone", { createdAfter: "2026-01-01" }, /created_after: Must be a time with its zone, such as/],
  ["a text for a number", { pageSize: "many" }, /page_?size: The member does not accept such a value/i],
  ["a member that there is none of", { statuss: "x" }, /statuss: There is no such member here\. Did you mean `status`/],
])("%s is refused with what is right", async (_name, body, words) => {
  const response = await fetch(`${app.httpUrl}/assessment.v1.SessionService/ListSessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ product: "values-bridge", ...body }),
  });
  const { code, message } = (await response.json()) as { code: string; message: string };
  expect([response.status, code, message]).toEqual([400, "invalid_argument", expect.stringMatching(words)]);
});

test("names of protobuf are taken", async () => {
  const response = await fetch(`${app.httpUrl}/assessment.v1.SessionService/ListSessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: '{"product":"values-bridge","status":"SESSION_STATUS_IN_PROGRESS","createdAfter":"2026-01-01T00:00:00Z"}',
  });
  expect(response.status).toBe(200);
});
