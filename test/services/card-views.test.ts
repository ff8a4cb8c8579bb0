// Who looks at shared pictures: strangers use up neither what the person may call, nor what other strangers may.
import { expect, test } from "vitest";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { Visitor } from "../support/browser/visitor.ts";
import { appOfFile } from "../support/of-file.ts";

const allowed = 6;
const app = await appOfFile({ HOSTED_RATE_LIMIT_PER_MINUTE: String(allowed), TRUSTED_PROXIES: "127.0.0.0/8" });

test("a network that looks at pictures of a partner too often is refused, and nobody else", async () => {
  const partner = await addHostedPartner(app);
  const sessionId = await partner.createScored();
  const person = new Visitor(app.httpUrl);
  const page = await person.open(await partner.shareReport(sessionId));
  await person.submit(page, { go: "share", language: "en" }, `${page}/card`);
  const [address = ""] = /\/reports\/cards\/\w+/.exec((await person.get(page)).text) ?? [];
  const look = async (network: string) =>
    (await new Visitor(app.httpUrl).get(address, { "x-forwarded-for": network })).status;
  const statuses: number[] = [];
  for (let count = 0; count <= allowed; count += 1) statuses.push(await look("198.51.100.7"));
  expect(statuses).toEqual([...Array<number>(allowed).fill(200), 429]);
  expect(await look("198.51.100.8")).toBe(200);
  expect((await person.get(page)).status).toBe(200);
});
