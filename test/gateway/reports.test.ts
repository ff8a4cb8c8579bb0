// Reports over REST: how a form is chosen, what is not sent twice, and what a full renderer answers.

import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { appOfFile } from "../support/of-file.ts";
import { readPdf } from "../support/reports/pdf.ts";

const app = await appOfFile();
const partner = await addHostedPartner(app);
const sessionId = await partner.createScored();

/** The bytes as they came: `fetch` would unpack them. */
function get(query = "", headers: Record<string, string> = {}, id = sessionId) {
  const path = `/v1/values-bridge/sessions/${id}/report${query}`;
  const authorization = `Bearer ${partner.token}`;
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const sent = request(app.httpUrl + path, { headers: { authorization, ...headers } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
    });
    sent.on("error", reject).end();
  });
}

test.each([
  [undefined, "", "application/json; charset=utf-8"],
  ["", "", "application/json; charset=utf-8"],
  ["*/*", "", "application/json; charset=utf-8"],
  ["application/*", "", "application/json; charset=utf-8"],
  ["text/html", "", "text/html; charset=utf-8"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,image/png,*/*;q=0.8", "", "text/html; charset=utf-8"],
  ["application/pdf", "", "application/pdf"],
  ["application/json;q=0.2, application/pdf;q=0.9", "", "application/pdf"],
  ["application/pdf;q=0, text/html;q=0.1", "", "text/html; charset=utf-8"],
  ["image/*", "", "image/svg+xml"],
  ["image/png", "", "image/png"],
  ["text/html", "?format=svg", "image/svg+xml"],
  ["text/plain", "?format=json", "application/json; charset=utf-8"],
])("Accept %s with the query %s gives %s", async (accept, query, mediaType) => {
  const { status, headers } = await get(query, accept === undefined ? {} : { accept });
  expect([status, headers["content-type"]]).toEqual([200, mediaType]);
});

test.each([
  ["text/plain", "", 406, "not_acceptable"],
  ["application/json;q=0", "", 406, "not_acceptable"],
  ["*/*", "?format=docx", 406, "not_acceptable"],
  ["*/*", "?format=toString", 406, "not_acceptable"],
  ["*/*", "?format=PDF", 406, "not_acceptable"],
  ["image/svg+xml", "?paper=a3", 406, "not_acceptable"],
  ["application/pdf", "?paper=square", 406, "not_acceptable"],
  ["*/*", "?format=pdf&format=html", 422, "invalid_request"],
  ["*/*", "?locale=de&locale=en", 422, "invalid_request"],
  ["*/*", "?picture=", 422, "invalid_request"],
  ["*/*", "?paper=a5", 422, "invalid_request"],
  ["*/*", "?locale=", 422, "invalid_request"],
])("Accept %s with the query %s is refused with %i and %s", async (accept, query, status, code) => {
  const refused = await get(query, { accept });
  expect(refused.status).toBe(status);
  expect(refused.headers["content-type"]).toBe("application/problem+json");
  expect(JSON.parse(refused.body.toString())).toMatchObject({ status, code });
});

test("headers of a report give its language and file name, and allow only the caller to cache it", async () => {
  const { headers } = await get("?format=pdf&locale=de");
  expect(headers).toMatchObject({
    "content-language": "de",
    "content-disposition": `inline; filename="values-${sessionId.slice(0, 8)}.pdf"`,
    "cache-control": "private, no-cache",
    vary: "accept, accept-language, accept-encoding",
    "x-content-type-options": "nosniff",
  });
});

test.each(["json", "html", "svg", "pdf", "png"])(
  "a conditional request for %s gets 304 in the coding of the first response",
  async (format) => {
    for (const coding of ["gzip", "identity"]) {
      const first = await get(`?format=${format}`, { "accept-encoding": coding });
      const etag = String(first.headers.etag);
      expect(first.headers["content-encoding"]).toBe(
        coding === "gzip" && !["pdf", "png"].includes(format) ? "gzip" : undefined,
      );
      const headers = { "accept-encoding": coding, "if-none-match": `"other", W/${etag}` };
      const again = await get(`?format=${format}`, headers);
      expect([again.status, again.headers.etag, again.body.length]).toEqual([304, etag, 0]);
    }
  },
);

test("packed and plain bytes have different tags and the same content", async () => {
  const packed = await get("?format=html", { "accept-encoding": "gzip" });
  const plain = await get("?format=html", { "if-none-match": String(packed.headers.etag) });
  expect(plain.status).toBe(200);
  expect(plain.headers.etag).not.toBe(packed.headers.etag);
  expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
});

test("any tag matches `*`; a change of the brand makes another tag", async () => {
  expect((await get("", { "if-none-match": "*" })).status).toBe(304);
  const { headers } = await get("?format=pdf");
  await partner.brand({ displayName: "Acme Coaching" });
  const branded = await get("?format=pdf", { "if-none-match": String(headers.etag) });
  expect(branded.status).toBe(200);
  expect(JSON.stringify((await readPdf(branded.body)).elements)).toContain("Acme Coaching");
});

test("a browser that names far too many languages gets the report in one of the first", async () => {
  const languages = ["xx", "de", ...Array.from({ length: 40 }, (_, index) => `e${index}`)].join(", ");
  const { status, headers } = await get("?format=html", { "accept-language": languages });
  expect([status, headers["content-language"]]).toEqual([200, "de"]);
});

test("a request with far too many tags is refused", async () => {
  const tags = Array.from({ length: 21 }, (_, index) => `"${index}"`).join(", ");
  expect((await get("", { "if-none-match": tags })).status).toBe(422);
});

test("the same report has the same bytes", async () => {
  for (const format of ["pdf", "png"]) {
    const [one, other] = [await getMade(format), await getMade(format)];
    expect(one.equals(other)).toBe(true);
  }
});

/** A report that is asked for until there is time to make it: on a busy machine that may take more than a call has. */
async function getMade(format: string): Promise<Buffer> {
  for (;;) {
    const { status, body } = await get(`?format=${format}`);
    if (status === 200) return body;
    // Each refusal has a request id of its own, so two of them differ.
    expect([503, 504]).toContain(status);
  }
}
