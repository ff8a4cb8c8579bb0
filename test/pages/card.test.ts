// The picture that a person shares, in a real browser: made and taken back on their report's page, and seen by others.
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { chromiumAlone, openDevice, phone } from "../support/browser/browser.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { browserOfFile } from "../support/browser/of-file.ts";
import { Visitor } from "../support/browser/visitor.ts";
import { appOfFile } from "../support/of-file.ts";

const [app, browser] = await Promise.all([appOfFile(), browserOfFile()]);
const partner = await addHostedPartner(app);
const branding = { displayName: "Acme Coaching", accentColor: "#c2410c", supportText: "Call 030 1234." };
await partner.brand(branding);

/** A person at their report, and the page of the picture that they share. */
async function shared(language = "en") {
  const externalId = randomUUID();
  const sessionId = await partner.createScored(0, { subject: { externalId } });
  const person = new Visitor(app.httpUrl);
  const page = await person.open(await partner.shareReport(sessionId, { name: "Zoë", locale: language }));
  await person.submit(page, { go: "share", language }, `${page}/card`);
  const address = /\/reports\/cards\/\w+/.exec((await person.get(page)).text)?.[0] ?? "";
  return { sessionId, externalId, person, page, address };
}

test("a person makes a picture, sees it and its address, and takes it back, on a phone, without JavaScript where it can be switched off", async () => {
  const reportUrl = await partner.shareReport(await partner.createScored());
  const { page } = await openDevice(browser, { ...phone, javaScriptEnabled: chromiumAlone.length === 0 });
  await page.goto(reportUrl);
  await page.getByRole("button", { name: "Make a picture to share" }).press("Enter");
  const picture = page.getByRole("img", { name: "A picture to share" });
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => page.evaluate("document.querySelector('img.card').naturalWidth")).toBe(1200);
  const address = await page.getByLabel("Its address, to copy").inputValue();
  await page.goto(address);
  await page.getByRole("img", { name: /^A circle of 19 values\./ }).waitFor();
  await expect.poll(() => page.evaluate("document.querySelector('img.card').naturalHeight")).toBe(630);
  await page.goBack();
  await page.getByRole("button", { name: "Take the picture back" }).press("Enter");
  await page.getByRole("button", { name: "Make a picture to share" }).waitFor();
  expect((await page.goto(address))?.status()).toBe(410);
  await page.getByRole("heading", { name: "This picture is not shared any more" }).waitFor();
});

test("previews of links find a title, a picture and its words, and nothing else of the person or the partner", async () => {
  const { address } = await shared();
  const { text, headers } = await new Visitor(app.httpUrl).get(address);
  const meta = Object.fromEntries(
    [...text.matchAll(/<meta property="og:([\w:]+)" content="([^"]+)">/g)].map(([, name = "", content]) => [
      name,
      content,
    ]),
  );
  expect(meta).toMatchObject({
    ...{ type: "website", title: "The life I want", url: app.httpUrl + address, site_name: "Acme Coaching" },
    ...{ image: `${app.httpUrl}${address}/picture.png`, "image:width": "1200", "image:height": "630", locale: "en" },
  });
  expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.getSetCookie()).toEqual([]);
  for (const word of ["Zoë", "030 1234", "sessions/"]) expect(text).not.toContain(word);
});

test("a picture keeps its address until it is taken back, also in another language; a new one has another", async () => {
  const { person, page, address } = await shared("fr");
  const again = async (language = "fr") => {
    await person.submit(page, { go: "share", language }, `${page}/card`);
    return /\/reports\/cards\/\w+/.exec((await person.get(page)).text)?.[0];
  };
  const pictureIn = async (language: string) => {
    expect((await person.get(address)).text).toContain(`<html lang="${language}"`);
    return Buffer.from(await (await fetch(`${app.httpUrl}${address}/picture.png`)).arrayBuffer()).toString("base64");
  };
  const french = await pictureIn("fr");
  expect((await person.get(page)).text).not.toContain("La créer en français");
  expect(await again("it")).toBe(address);
  const italian = await pictureIn("it");
  expect(italian).not.toBe(french);
  expect((await person.get(page)).text).toContain("La créer en français");
  expect(await again()).toBe(address);
  expect(await pictureIn("fr")).toBe(french);
  await person.submit(page, { go: "remove" }, `${page}/card`);
  expect(await again()).not.toBe(address);
  expect((await person.get(address)).status).toBe(410);
});

test("the token of a picture opens no report, that of a report no picture, and made-up ones nothing", async () => {
  const { sessionId, address } = await shared();
  const stranger = new Visitor(app.httpUrl);
  const token = address.split("/").at(-1) ?? "";
  const report = new URL(await partner.shareReport(sessionId)).pathname.split("/").at(-1) ?? "";
  for (const path of [`/reports/${token}`, `/hosted/${token}`, `/reports/cards/${report}`, "/reports/cards/pas_rc_x"]) {
    expect([path, (await stranger.get(path)).status]).toEqual([path, 404]);
  }
  expect((await stranger.post(`/reports/sessions/${sessionId}/card`, { go: "share" })).status).toBe(403);
});
