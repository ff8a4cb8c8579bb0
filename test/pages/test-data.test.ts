// Hosted pages of a test twin say that they are a test, without anything in the way (see appearance.test.ts). Those of its
// partner have nothing of it.
import { describe, expect, test } from "vitest";
import { addTwinCaller } from "../support/app.ts";
import type { TestPartner } from "../support/browser/hosted.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { deploymentOfFile } from "../support/browser/of-file.ts";
import { Visitor } from "../support/browser/visitor.ts";

const app = await deploymentOfFile();
const partner = await addHostedPartner(app);
const twin = await addHostedPartner(app, await addTwinCaller(app, partner.partnerId));

const headers = (of: TestPartner) => ({ authorization: `Bearer ${of.token}` });

/** The pages of a session from its beginning to its end, without what differs from session to session. */
async function pagesOf(of: TestPartner, locale: string, end: "complete" | "cancel"): Promise<string[]> {
  const { sessionId, hostedUrl } = await of.createHosted({ locale, redirectUrl: "https://partner.example/done" });
  const visitor = new Visitor(app.httpUrl);
  const start = await visitor.open(hostedUrl);
  const texts: string[] = [];
  const look = async (path: string) => {
    const { text } = await visitor.get(path);
    const ownWords = [sessionId, /nonce="[^"]+"/g, /name="csrfToken" value="[^"]+"/g, /<code>[^<]+<\/code>/g];
    texts.push(ownWords.reduce<string>((rest, word) => rest.replaceAll(word, ""), text));
  };
  await look(start);
  await look(`${start}/questions/1`);
  await of.record(sessionId, 1, 152);
  await look(`${start}/review`);
  await fetch(`${app.httpUrl}/v1/values-bridge/sessions/${sessionId}/${end}`, { method: "POST", headers: headers(of) });
  await look(start);
  await look(`${start}/nowhere`);
  return texts;
}

describe.each([
  ["en", "Test"],
  ["de", "Test"],
])("in %s", (locale, word) => {
  test.each([
    ["without a name", {}],
    ["with a name", { displayName: "Acme" }],
  ])("each page of a test twin %s says so, and is otherwise that of its partner", async (_name, branding) => {
    for (const of of [partner, twin]) await of.brand(branding);
    const added = `<p class="test">${word}</p>`;
    for (const end of ["complete", "cancel"] as const) {
      const [real, twinPages] = [await pagesOf(partner, locale, end), await pagesOf(twin, locale, end)];
      expect(real.filter((text) => text.includes(word))).toEqual([]);
      expect(twinPages.map((text) => text.split(added).length)).toEqual([2, 2, 2, 2, 1]);
      expect(twinPages.map((text) => text.replace(added, ""))).toEqual(real);
    }
  });
});

test("an unknown link leads to a page that does not repeat it", async () => {
  const { text } = await new Visitor(app.httpUrl).get("/hosted/pas_hl_test_mistyped");
  expect(text).not.toContain('class="test"');
});
