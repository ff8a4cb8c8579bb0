// Faults that only JSON bodies can have are refused with their place, and nothing is stored. A gateway in its own process refuses
// them in the same words: remote-core/same-refusals.test.ts.
import type { RowDataPacket } from "mysql2";
import { expect, test } from "vitest";
import { addCaller } from "../../support/app.ts";
import { appOfFile } from "../../support/of-file.ts";

const app = await appOfFile();
const { token } = await addCaller(app);
const { httpUrl } = app;
const created = await post("/sessions", "{}");
const { sessionId } = (await created.json()) as { sessionId: string };

function post(
  path: string,
  body: string | Uint8Array<ArrayBuffer> | undefined,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${httpUrl}/v1/values-bridge${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body }),
  });
}

/** A body with a member that begins with an object, at level 2, and has so many levels more. */
function nested(name: string, levels: number): string {
  return `{"${name}": {"a": ${"[".repeat(levels)}${"]".repeat(levels)}}}`;
}

async function stored(): Promise<unknown> {
  const [rows] = await app.database.connection.query<RowDataPacket[]>(
    "SELECT HEX(id), HEX(answers), revision FROM sessions",
  );
  return rows;
}

async function expectFault(response: Response, status: number, code: string, faults?: readonly [string, string][]) {
  const problem = (await response.json()) as { code: string; errors?: { pointer: string; code: string }[] };
  expect({ status: response.status, code: problem.code }).toEqual({ status, code });
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  if (faults !== undefined) expect(problem.errors?.map((fault) => [fault.pointer, fault.code])).toEqual(faults);
}

const answers = (item: string) => `{"answers": [${item}]}`;
const good = '{"questionId": 1001, "response": {"type": "likert", "value": 4}}';

test.each([
  ["no body at all", undefined, [["#", "required"]]],
  ["null", "null", [["#", "wrong_type"]]],
  ["an array", "[]", [["#", "wrong_type"]]],
  ["a text", '"x"', [["#", "wrong_type"]]],
  ["an unknown member", '{"subjct": {}}', [["#/subjct", "unknown_member"]]],
  ["null for mode", '{"mode": null}', [["#/mode", "wrong_type"]]],
  ["null for externalId", '{"subject": {"externalId": null}}', [["#/subject/externalId", "wrong_type"]]],
  ["an unknown mode", '{"mode": "Headless"}', [["#/mode", "unknown_value"]]],
  [
    "a lone surrogate in externalId",
    '{"subject": {"externalId": "a\\ud800"}}',
    [["#/subject/externalId", "invalid_characters"]],
  ],
  ["a lone surrogate in metadata", '{"metadata": {"a": ["\\udfff"]}}', [["#/metadata", "invalid_characters"]]],
  [
    "400,000 levels of JSON inside a subject",
    `{"subject": {"a": ${"[".repeat(400_000)}${"]".repeat(400_000)}}}`,
    [["#", "too_many_items"]],
  ],
  [
    "19,000 levels of JSON inside a subject",
    `{"subject": {"a": ${"[".repeat(19_000)}${" ".repeat(10_000)}${"]".repeat(19_000)}}}`,
    [["#/subject", "too_deep"]],
  ],
  ["25,000 values in a subject", `{"subject": {"a": [${"0,".repeat(25_000)}0]}}`, [["#", "too_many_items"]]],
  ["17 levels, the last of them in a subject", nested("subject", 15), [["#/subject", "too_deep"]]],
  ["17 levels in an unknown member", nested("other", 15), [["#/other", "unknown_member"]]],
  ["metadata of 17 kB", `{"metadata": {"a": "${"x".repeat(17_000)}"}}`, [["#/metadata", "too_large"]]],
  ["a member twice", '{"mode": "headless", "mode": "headless"}', [["#", "repeated_member"]]],
  [
    "a member twice, once with its letters escaped",
    '{"subject": {"externalId": "a", "external\\u0049d": "b"}}',
    [["#", "repeated_member"]],
  ],
  [
    "a member twice in one of several objects",
    '{"mode": "headless", "metadata": {"a": [{"mode": "{\\"\\\\"}, {"mode": 1, "b": [], "mode": 2}]}}',
    [["#", "repeated_member"]],
  ],
  [
    "an object twice, whose members are lost with it, beside texts with colons",
    '{"mode": "::", "metadata": {"a": {"b": 1, "c": [{"d": 2}]}, "a": ":"}}',
    [["#", "repeated_member"]],
  ],
  [
    "several faults",
    '{"mode": 1, "metadata": 2, "x": 3}',
    [
      ["#/x", "unknown_member"],
      ["#/mode", "wrong_type"],
      ["#/metadata", "wrong_type"],
    ],
  ],
] satisfies [string, string | undefined, [string, string][]][])(
  "no session is created with %s, and nothing is stored",
  async (_name, body, faults) => {
    const before = await stored();
    await expectFault(await post("/sessions", body), 422, "invalid_request", faults);
    expect(await stored()).toEqual(before);
  },
);

test.each([
  [
    "a text for a number",
    answers('{"questionId": "1001", "response": {"type": "likert", "value": "5"}}'),
    [
      ["#/answers/0/questionId", "wrong_type"],
      ["#/answers/0/response/value", "wrong_type"],
    ],
  ],
  [
    "a value beyond doubles",
    answers('{"questionId": 1001, "response": {"type": "likert", "value": 1e999}}'),
    [["#/answers/0/response/value", "wrong_type"]],
  ],
  [
    "a fraction for a question id",
    answers('{"questionId": 1001.5, "response": {"type": "likert", "value": 4}}'),
    [["#/answers/0/questionId", "wrong_type"]],
  ],
  [
    "a question id that no int32 holds",
    answers('{"questionId": 4294968297, "response": {"type": "likert", "value": 4}}'),
    [["#/answers/0/questionId", "unknown_question"]],
  ],
  [
    "a response without value",
    answers('{"questionId": 1001, "response": {"type": "likert"}}'),
    [["#/answers/0/response/value", "required"]],
  ],
  [
    "unknown members",
    answers('{"questionId": 1001, "x": 1, "response": {"type": "likert", "value": 4, "y": 2}}'),
    [
      ["#/answers/0/x", "unknown_member"],
      ["#/answers/0/response/y", "unknown_member"],
    ],
  ],
  ["answers that are no array", '{"answers": {}}', [["#/answers", "wrong_type"]]],
  ["a bad answer behind a good one", answers(`${good}, 1`), [["#/answers/1", "wrong_type"]]],
  ["null for answers", '{"answers": null}', [["#/answers", "wrong_type"]]],
] satisfies [string, string, [string, string][]][])(
  "answers with %s are refused, and nothing is stored",
  async (_name, body, faults) => {
    for (const operation of ["answers", "complete"]) {
      const before = await stored();
      const response = await post(`/sessions/${sessionId}/${operation}`, body);
      await expectFault(response, 422, "invalid_request", faults);
      expect(await stored()).toEqual(before);
    }
  },
);

test("only the first 50 violations are listed, and the response says so", async () => {
  const response = await post(`/sessions/${sessionId}/answers`, answers(Array(60).fill("0").join(",")));
  const problem = (await response.json()) as { errors: unknown[]; errorsTruncated: boolean };
  expect([response.status, problem.errors.length, problem.errorsTruncated]).toEqual([422, 50, true]);
});

test("a large body full of violations returns the first one", async () => {
  const response = await post(`/sessions/${sessionId}/answers`, answers(Array(400_000).fill("0").join(",")));
  const problem = (await response.json()) as { errors: unknown[]; errorsTruncated: boolean };
  expect([response.status, problem.errors.length, problem.errorsTruncated]).toEqual([422, 1, true]);
});

test("the answers of a recording are required", async () => {
  await expectFault(await post(`/sessions/${sessionId}/answers`, "{}"), 422, "invalid_request", [
    ["#/answers", "required"],
  ]);
  await expectFault(await post(`/sessions/${sessionId}/answers`, undefined), 422, "invalid_request", [
    ["#", "required"],
  ]);
});

test.each([
  ["not JSON", "{"],
  ["text behind the JSON", "{} x"],
  ["invalid UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ["UTF-16", Buffer.from("{}", "utf16le")],
])("a body that is %s cannot be read", async (_name, body) => {
  await expectFault(await post("/sessions", body), 400, "malformed_request");
});

test.each([
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/json; charset=latin1",
  "application/xml",
  "",
])("the media type %j is not supported", async (type) => {
  await expectFault(await post("/sessions", "{}", { "content-type": type }), 415, "unsupported_media_type");
});

test("completing accepts no body, an empty one, {} and an empty list alike: no answers supplied", async () => {
  const faults: [string, string][] = [["#/answers", "too_few_items"]];
  for (const body of [undefined, "", "{}", '{"answers": []}']) {
    await expectFault(await post(`/sessions/${sessionId}/complete`, body), 422, "invalid_request", faults);
  }
  const bare = await fetch(`${httpUrl}/v1/values-bridge/sessions/${sessionId}/complete`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
  });
  await expectFault(bare, 422, "invalid_request", faults);
});

test("other members of subject are ignored and never stored", async () => {
  const marker = `marker-${crypto.randomUUID()}`;
  const response = await post("/sessions", JSON.stringify({ subject: { email: marker, externalId: "person" } }));
  expect(response.status).toBe(201);
  expect(await response.text()).not.toContain(marker);
  const [rows] = await app.database.connection.query<RowDataPacket[]>("SELECT * FROM sessions");
  for (const row of rows) for (const column of Object.values(row)) expect(String(column)).not.toContain(marker);
});

test("a body may have 16 levels, wherever they are", async () => {
  for (const name of ["subject", "metadata"]) expect((await post("/sessions", nested(name, 14))).status).toBe(201);
});

test("a null subject means an anonymous person", async () => {
  const response = await post("/sessions", '{"subject": null}');
  expect(await response.json()).toMatchObject({ subject: { anonymous: true } });
});
