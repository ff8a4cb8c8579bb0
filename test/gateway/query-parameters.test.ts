// Query parameters and times are taken as they are written, or refused: nothing is guessed.
import { expect, test } from "vitest";
import { addCaller } from "../support/app.ts";
import { appOfFile } from "../support/of-file.ts";

const app = await appOfFile();
const token = (await addCaller(app)).token;

async function outcomeOf(path: string, body?: unknown): Promise<string> {
  const response = await fetch(`${app.httpUrl}/v1/values-bridge/sessions${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { code, errors } = (await response.json()) as { code?: string; errors?: { code: string }[] };
  return [response.status, code, ...(errors ?? []).map((each) => each.code)].join(" ").trim();
}

test.each([
  "2026-02-30T00:00:00Z",
  "2025-02-29T12:00:00+01:00",
  "2026-04-31T23:59:59.999Z",
  "2026-01-01T24:00:00Z",
  "2026-00-10T00:00:00Z",
])("a day or an hour that the calendar does not have is refused: %s", async (time) => {
  expect(await outcomeOf(`?createdAfter=${encodeURIComponent(time)}`)).toBe("422 invalid_request invalid_format");
  const expiresAt = time.replace(/^\d{4}/, String(new Date().getUTCFullYear() + 1));
  expect(await outcomeOf("", { expiresAt: expiresAt.replace("-02-29", "-02-30") })).toBe(
    "422 invalid_request invalid_format",
  );
});

test("a leap day is accepted, and so is the last hour of a day", async () => {
  expect(await outcomeOf("?createdAfter=2024-02-29T23:59:59Z&createdBefore=2028-02-29T00:00:00.5-11:59")).toBe("200");
});

test.each(["externalId=%ff", "externalId=a%2", "externalId=%zz", "limit=1&externalId=100%"])(
  "a query that cannot be decoded is refused: %s",
  async (query) => {
    expect(await outcomeOf(`?${query}`)).toBe("400 malformed_request");
    expect(await outcomeOf(`?${query.replace(/%.*/, encodeURIComponent("100%"))}`)).toBe("200");
  },
);
