// Pages within a frame of a partner's site, in a real browser over https: a site that the partner names shows them and keeps
// their cookies, any other shows nothing.
import { readFile } from "node:fs/promises";
import { createServer, request as forward } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { join } from "node:path";
import type { Frame, FrameLocator, Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { desktop, openDevice } from "../support/browser/browser.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { browserOfFile, deploymentOfFile } from "../support/browser/of-file.ts";
import { folderOfFile } from "../support/folders.ts";
import { copyCertificates } from "../support/processes/certificates.ts";
import { freePort } from "../support/processes/free-port.ts";
import { listenOnLoopback } from "../support/processes/loopback.ts";

/** A site with two pages: one frames the address in its query, one shows it by the sample of docs/hosted.md. */
const site = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "", "http://site.test");
  const [address, link] = [searchParams.get("frame"), searchParams.get("embed")];
  response.setHeader("content-type", "text/html; charset=utf-8");
  if (link === null) {
    const frame = `<iframe src="${address}" width="900" height="700"></iframe>`;
    return response.end(`<!doctype html><title>Portal</title>${frame}`);
  }
  const service = new URL(link).origin;
  const policy = `default-src 'none'; script-src ${service} 'nonce-portal'; frame-src ${service}`;
  response.setHeader("content-security-policy", policy);
  response.end(
    embeddingPage
      .replaceAll("https://assess.example/hosted/pas_hl_…", link)
      .replaceAll("https://assess.example", service),
  );
});
const guide = await readFile("docs/hosted.md", "utf8");
const [, embeddingPage = ""] = /```html\n(.*?<pas-assessment .*?)\n```/s.exec(guide) ?? [];
const otherSite = createServer((request, response) => site.emit("request", request, response));

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  return `http://localhost:${await listenOnLoopback(server)}`;
}

const folder = folderOfFile();
copyCertificates(folder);
const [key, cert] = await Promise.all(["server.key", "server.pem"].map((name) => readFile(join(folder, name))));
const port = await freePort();
const app = await deploymentOfFile({ PUBLIC_URL: `https://127.0.0.1:${port}` });
const proxy = createSecureServer({ key, cert }, (incoming, response) => {
  const { method, url, headers } = incoming;
  const sent = forward(new URL(url ?? "", app.httpUrl), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  incoming.pipe(sent);
});
await new Promise<void>((resolve) => proxy.listen(port, "127.0.0.1", resolve));
/** Of another site than the service, since it has another scheme and another host. */
const named = await listen(site);
const other = await listen(otherSite);
afterAll(() => {
  for (const server of [site, otherSite, proxy]) {
    server.closeAllConnections();
    server.close();
  }
});
const partner = await addHostedPartner(app);
// As browsers do that keep no cookies of other sites but partitioned ones.
const browser = await browserOfFile("--test-third-party-cookie-phaseout");

/** What a frame of a page at the origin shows of the address. */
async function framed(origin: string, address: string): Promise<Frame> {
  const { page } = await openDevice(browser, { ...desktop, ignoreHTTPSErrors: true });
  await page.goto(`${origin}/?frame=${encodeURIComponent(address)}`);
  const frame = page.frames()[1];
  if (frame === undefined) throw new Error("the page has no frame");
  return frame;
}

/** What Chromium says of a response that its policy keeps out of the frame. */
const refused = "net::ERR_BLOCKED_BY_RESPONSE";

/** Why a page at the origin shows nothing of the address in its frame. */
async function refusal(origin: string, address: string): Promise<string | undefined> {
  const { page } = await openDevice(browser, { ...desktop, ignoreHTTPSErrors: true });
  const [failed] = await Promise.all([
    page.waitForEvent("requestfailed", (request) => request.isNavigationRequest()),
    page.goto(`${origin}/?frame=${encodeURIComponent(address)}`),
  ]);
  return failed.failure()?.errorText;
}

/** Addresses of a questionnaire and of a report, which the sites may frame. */
async function pagesFor(frameAncestors: string[]): Promise<string[]> {
  await partner.brand({ frameAncestors });
  const { hostedUrl } = await partner.createHosted();
  return [hostedUrl, await partner.shareReport(await partner.createScored())];
}

test("a site that the partner names frames the questionnaire, from the link to the report, without cookies of other sites", async () => {
  await partner.brand({ frameAncestors: [named] });
  const { hostedUrl, sessionId } = await partner.createHosted({ personAccess: "after_completion" });
  await partner.record(sessionId, 1, 151);
  const frame = await framed(named, hostedUrl);
  await frame.getByRole("link", { name: "Continue" }).click();
  await frame.locator("fieldset").last().locator("input[type=radio]").nth(3).dispatchEvent("click");
  await frame.getByRole("button", { name: "Review" }).click();
  await frame.getByRole("button", { name: "Finish" }).click();
  await frame.getByRole("link", { name: "See your results" }).click();
  await frame.getByRole("heading", { level: 1 }).waitFor();
  expect(new URL(frame.url()).pathname).toBe(`/reports/sessions/${sessionId}`);
  expect(await partner.statusOf(sessionId)).toBe("completed");
});

test("a site that the partner names frames a report by its link", async () => {
  await partner.brand({ frameAncestors: [named] });
  const frame = await framed(named, await partner.shareReport(await partner.createScored()));
  const shares = frame.getByText("so does everybody who has your link");
  await shares.waitFor();
  expect(await shares.isVisible()).toBe(true);
});

test.each([
  ["to a questionnaire", "/hosted/pas_hl_mistyped"],
  ["to a report", "/reports/pas_rl_mistyped"],
])("a link %s that is invalid says so in every frame", async (_what, path) => {
  const { hostedUrl } = await partner.createHosted();
  const frame = await framed(other, new URL(path, hostedUrl).href);
  await frame.getByRole("heading", { level: 1 }).waitFor();
  expect(await frame.locator("form").count()).toBe(0);
});

test("a link that has expired says so in the frame that would have shown its page", async () => {
  await partner.brand({ frameAncestors: [named] });
  const { hostedUrl, sessionId } = await partner.createHosted();
  await partner.expireLinks(sessionId);
  const frame = await framed(named, hostedUrl);
  const heading = frame.getByRole("heading", { name: "This link no longer works" });
  await heading.waitFor();
  expect(await heading.isVisible()).toBe(true);
});

test.each([
  ["a site that the partner does not name", [named], other],
  ["any site, if the partner names none,", [], named],
])("%s shows neither questionnaire nor report", async (_site, frameAncestors, origin) => {
  for (const address of await pagesFor(frameAncestors)) expect(await refusal(origin, address)).toBe(refused);
});

describe("a page that shows the questionnaire by embed.js", () => {
  /** A page at the origin that shows the link. */
  async function embedded(origin: string, link: string): Promise<Page> {
    const { page } = await openDevice(browser, { ...desktop, ignoreHTTPSErrors: true });
    await page.goto(`${origin}/?embed=${encodeURIComponent(link)}`);
    return page;
  }

  /** Waits until the frame shows its page whole. */
  const fits = (frame: FrameLocator) =>
    expect
      .poll(() => frame.locator("body").evaluate("document.scrollingElement.scrollHeight - innerHeight"))
      .toBeLessThanOrEqual(0);

  const output = (page: Page, name: string) => page.locator(`output[name=${name}]`).textContent();

  test.each(["none", "after_completion"])(
    "it is told of the start, of every answer and of the end with its proof, and its frame fits the page: personAccess %s",
    async (personAccess) => {
      await partner.brand({ frameAncestors: [named] });
      const { hostedUrl, sessionId } = await partner.createHosted({ personAccess });
      await partner.record(sessionId, 1, 151);
      const page = await embedded(named, hostedUrl);
      await expect.poll(() => output(page, "ready")).toBe(sessionId);
      const frame = page.frameLocator("pas-assessment iframe");
      // A click of the mouse goes to a place on the screen, which moves until the frame has the height of its page.
      await frame.getByRole("link", { name: "Continue" }).dispatchEvent("click");
      await expect.poll(() => output(page, "progress")).toBe("151 of 152");
      await fits(frame);
      await frame.locator("fieldset").last().locator("input[type=radio]").nth(3).dispatchEvent("click");
      await expect.poll(() => output(page, "progress")).toBe("152 of 152");
      await frame.locator(".save-done").waitFor();
      await frame.getByRole("button", { name: "Review" }).dispatchEvent("click");
      // The page around the frame has said hello.
      await frame.locator("input[name=embedded]").waitFor({ state: "attached" });
      await frame.getByRole("button", { name: "Finish" }).dispatchEvent("click");
      await frame.getByRole("heading", { name: "Thank you" }).waitFor();
      await expect.poll(() => output(page, "completed")).toMatch(new RegExp(`^${sessionId} completed eyJ`));
      expect(new URL(page.url()).origin).toBe(named);
      expect(await partner.statusOf(sessionId)).toBe("completed");
    },
  );

  test("it is told nothing if the partner does not name its site: the person answers in the tab", async () => {
    await partner.brand({ frameAncestors: [named] });
    const { hostedUrl, sessionId } = await partner.createHosted();
    const page = await embedded(other, hostedUrl);
    await page.getByRole("link", { name: "Start" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/hosted/sessions/${sessionId}`);
  });

  test("a browser that keeps no cookie of the frame shows the questionnaire in the tab", async () => {
    await partner.brand({ frameAncestors: [named] });
    const { hostedUrl, sessionId } = await partner.createHosted();
    const { page } = await openDevice(browser, { ...desktop, ignoreHTTPSErrors: true });
    // As browsers without partitioned cookies do.
    await page.route("**/hosted/pas_hl_*", async (route) => {
      const response = await route.fetch({ maxRedirects: 0 });
      const { "set-cookie": cookie, ...headers } = response.headers();
      await route.fulfill({
        response,
        headers: route.request().frame() === page.mainFrame() ? { ...headers, "set-cookie": cookie ?? "" } : headers,
      });
    });
    await page.goto(`${named}/?embed=${encodeURIComponent(hostedUrl)}`);
    await page.getByRole("link", { name: "Start" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/hosted/sessions/${sessionId}`);
  });

  test("the script is a module for pages of every site, of less than 4 kB", async () => {
    const response = await fetch(`${app.httpUrl}/embed.js`);
    expect([...response.headers]).toEqual(
      expect.arrayContaining([
        ["access-control-allow-origin", "*"],
        ["cache-control", "public, max-age=3600"],
        ["content-type", "text/javascript; charset=utf-8"],
      ]),
    );
    expect(Buffer.byteLength(await response.text())).toBeLessThan(4_000);
  });
});

/** Whether the site still holds the window with the address, and the window the site. */
async function held(origin: string, address: string) {
  const { context, page } = await openDevice(browser, { ...desktop, ignoreHTTPSErrors: true });
  await page.goto(origin);
  const [opened] = await Promise.all([
    context.waitForEvent("page"),
    page.evaluate(`window.opened = window.open(${JSON.stringify(address)}, "questionnaire", "width=500"); undefined`),
  ]);
  await opened.getByRole("heading", { level: 1 }).waitFor();
  const isHeld = await page.evaluate("!window.opened.closed");
  // As the last page does, not as a person who types an address: that would cut the tie in any case.
  await opened.evaluate(`location.assign(${JSON.stringify(`${origin}/done`)})`);
  await opened.waitForURL(`${origin}/done`);
  return { isHeld, hasOpener: await opened.evaluate("window.opener !== null") };
}

test.each([
  ["is held by a site that the partner names, and comes back to it with its opener", [named], true],
  ["is out of the hands of every site if the partner names none", [], false],
])("a window %s", async (_what, frameAncestors, isTied) => {
  for (const address of await pagesFor(frameAncestors))
    expect(await held(named, address)).toEqual({ isHeld: isTied, hasOpener: isTied });
});

describe("cookies come back from a frame alone", () => {
  const inFrame = { "sec-fetch-dest": "iframe" };
  const topLevel = { "sec-fetch-dest": "document" };

  async function cookieOf(address: string, headers: Record<string, string>): Promise<string> {
    const { pathname } = new URL(address);
    const response = await fetch(app.httpUrl + pathname, { headers, redirect: "manual" });
    return response.headers.getSetCookie()[0] ?? "";
  }

  test.each([
    ["of a site that the partner names", [named], inFrame, /; HttpOnly; Secure; Partitioned; SameSite=None$/],
    ["and not where the person opens the link itself", [named], topLevel, /; HttpOnly; Secure; SameSite=Lax$/],
    ["and not where the partner names none", [], inFrame, /; HttpOnly; Secure; SameSite=Lax$/],
  ])("%s", async (_case, frameAncestors, headers, attributes) => {
    for (const address of await pagesFor(frameAncestors)) expect(await cookieOf(address, headers)).toMatch(attributes);
  });
});
