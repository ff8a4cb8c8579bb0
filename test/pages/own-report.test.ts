// A person's own report in a real browser: from a link, or from the last hosted page, to the page and the PDF.
// With SCREENSHOTS=1, pictures of the pages go to `screenshots/`, which is ignored, for people to look at.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { desktop, openDevice, phone } from "../support/browser/browser.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { browserOfFile } from "../support/browser/of-file.ts";
import { appOfFile, gatewayOfFile } from "../support/of-file.ts";
import { readPdf, withRole } from "../support/reports/pdf.ts";

const [app, browser] = await Promise.all([appOfFile(), browserOfFile()]);
const [gateway, partner] = await Promise.all([gatewayOfFile(app), addHostedPartner(app)]);
await partner.brand({ displayName: "Acme Coaching", accentColor: "#7a1fa2" });

const withoutScript = { ...phone, javaScriptEnabled: false, acceptDownloads: true };

/** A picture of the page, if pictures are wanted. */
async function show(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS === "1") await page.screenshot({ path: `screenshots/${name}.png`, fullPage: true });
}

/** Taps the way to the document, and reads what arrives. */
async function savedPdf(page: Page, name = "Save as PDF") {
  const arriving = page.waitForEvent("download");
  await page.getByRole("link", { name, exact: true }).click();
  const download = await arriving;
  return { name: download.suggestedFilename(), pdf: await readFile(await download.path()) };
}

test.each([
  ["one process", () => app.httpUrl],
  ["a gateway of its own", () => gateway.httpUrl],
])("a report link leads from %s to the page and to the PDF, on a phone without JavaScript", async (way, url) => {
  const sessionId = await partner.createScored();
  const { pathname } = new URL(await partner.shareReport(sessionId, { name: "Zoë" }));
  const { page } = await openDevice(browser, withoutScript);
  await page.goto(url() + pathname);
  expect(page.url()).toBe(`${url()}/reports/sessions/${sessionId}`);
  expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain("the life you want");
  expect(await page.locator("svg.narrow[role=img]").isVisible()).toBe(true);
  await page.getByText("Acme Coaching has these results, and so does everybody who has your link.").waitFor();
  await show(page, `own-report-phone-${way.replaceAll(" ", "-")}`);
  const { name, pdf } = await savedPdf(page);
  expect(name).toBe(`values-${sessionId.slice(0, 8)}.pdf`);
  const { pages, elements } = await readPdf(pdf);
  expect(pages).toBe(4);
  expect(withRole(elements, "P").map(({ text }) => text)).toContain("Zoë");
  for (const each of ["Poster A3", "Poster: Square"]) {
    const output = await savedPdf(page, each);
    expect((await readPdf(output.pdf)).pages).toBe(1);
  }
  const poster = await savedPdf(page, "Poster");
  expect(poster.name).toBe(`values-${sessionId.slice(0, 8)}-poster.pdf`);
  expect((await readPdf(poster.pdf)).pages).toBe(1);
});

test("a report link leaves no token in the address, the history or requests to other sites", async () => {
  const reportUrl = await partner.shareReport(await partner.createScored());
  const { context, page } = await openDevice(browser, desktop);
  const response = await page.goto(reportUrl);
  expect(page.url()).not.toContain("pas_rl_");
  const headers = response?.headers() ?? {};
  expect(headers).toMatchObject({
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "x-robots-tag": "noindex, nofollow",
  });
  expect(headers["content-security-policy"]).toMatch(
    /^default-src 'none'; .*form-action 'self'; frame-ancestors 'none'$/,
  );
  expect(await page.locator("script, a[href*=pas_]").count()).toBe(0);
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", name: expect.stringMatching(/^pas-report-/) });
});

test("the last page leads to a report with dates of the browser", async () => {
  const { sessionId, hostedUrl } = await partner.createHosted({ personAccess: "after_completion" });
  await partner.record(sessionId, 1, 152);
  await partner.complete(sessionId, new Map());
  const { page } = await openDevice(browser, { ...phone, timezoneId: "Asia/Tokyo" });
  await page.goto(hostedUrl);
  await page.getByRole("link", { name: "See your results" }).click();
  await page.getByText(/the page stays open until \d+ \w+ \d{4}\.$/).waitFor();
});

test("the partner's support text appears, escaped, on the last page and in page, PDF and JSON of the report", async () => {
  const supportText = 'Call <b>Ana</b> & "Söhne": 030 1234.';
  await partner.brand({ displayName: "Acme Coaching", supportText });
  onTestFinished(() => partner.brand({ displayName: "Acme Coaching", accentColor: "#7a1fa2" }));
  const { sessionId, hostedUrl } = await partner.createHosted({ personAccess: "after_completion" });
  await partner.record(sessionId, 1, 152);
  await partner.complete(sessionId, new Map());
  const { page } = await openDevice(browser, withoutScript);
  await page.goto(hostedUrl);
  const heading = page.getByRole("heading", { name: "If something here weighs on you" });
  await heading.waitFor();
  // Nobody has told its language: it is not that of the page (WCAG 3.1.2).
  await page.locator('p[lang=""]', { hasText: supportText }).waitFor();
  await show(page, "hosted-last-page-with-support");
  await page.getByRole("link", { name: "See your results" }).click();
  await heading.waitFor();
  await page.getByText(supportText).waitFor();
  const { elements } = await readPdf((await savedPdf(page)).pdf);
  expect(withRole(elements, "P").map(({ text }) => text)).toContain(supportText);
  const report = await fetch(`${app.httpUrl}/v1/values-bridge/sessions/${sessionId}/report`, {
    headers: { authorization: `Bearer ${partner.token}`, accept: "application/json" },
  });
  expect(await report.json()).toMatchObject({ support: { text: supportText } });
});
