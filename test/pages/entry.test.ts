// The transport of people: who gets in, whose session they reach, what every answer carries, and how trouble is told.
import { expect, onTestFinished, test } from "vitest";
import { catalogues } from "../../src/pages/catalogue/language.ts";
import { startTestApp } from "../support/app.ts";
import { storedRatings } from "../support/browser/answering.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { deploymentOfFile } from "../support/browser/of-file.ts";
import { Visitor } from "../support/browser/visitor.ts";
import { gatewayOfTest } from "../support/of-test.ts";
import { startDeployment } from "../support/processes/deployment.ts";

const app = await deploymentOfFile();
const partner = await addHostedPartner(app);
const questionIds = ((await partner.createHeadless()).assessment?.questions ?? []).map(({ id }) => id);

const byScript = { accept: "application/json" };

async function enter(changes: Record<string, unknown> = {}) {
  const session = await partner.createHosted(changes);
  const visitor = new Visitor(app.httpUrl);
  return { ...session, visitor, start: await visitor.open(session.hostedUrl) };
}

/** The field of the question at a position. */
const field = (position: number) => `q-${questionIds[position - 1]}`;

test("opening a link gives the browser a cookie for this session alone, and an address without the link's token", async () => {
  const { sessionId, hostedUrl } = await partner.createHosted();
  const visitor = new Visitor(app.httpUrl);
  const { status, headers } = await visitor.get(new URL(hostedUrl).pathname);
  expect([status, headers.get("location")]).toEqual([303, `/hosted/sessions/${sessionId}`]);
  const [cookie = ""] = headers.getSetCookie();
  expect(cookie).toMatch(new RegExp(`^pas-hosted-${sessionId}=pas_hv_[0-9A-Za-z]{71}; Path=/; Expires=[^;]+;`));
  expect(cookie).toContain("HttpOnly; SameSite=Lax");
  expect(cookie).not.toContain("Secure");
  const days = (Date.parse(/Expires=([^;]+)/.exec(cookie)?.[1] ?? "") - Date.now()) / 86_400_000;
  expect(days).toBeCloseTo(7, 1);
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("cache-control")).toBe("no-store");
});

test("the cookie is secure and for this host only on https", async () => {
  const secure = await startDeployment({ PUBLIC_URL: "https://assess.example" });
  onTestFinished(() => secure.stop());
  const other = await addHostedPartner(secure);
  const { sessionId, hostedUrl } = await other.createHosted();
  expect(new URL(hostedUrl).origin).toBe("https://assess.example");
  const { headers } = await new Visitor(secure.httpUrl).get(new URL(hostedUrl).pathname);
  const [cookie = ""] = headers.getSetCookie();
  expect(cookie).toMatch(new RegExp(`^__Host-pas-hosted-${sessionId}=.*; Path=/; .*HttpOnly; Secure; SameSite=Lax`));
  expect(cookie).not.toContain("Domain");
});

test("every address has the path under which a proxy serves the service", async () => {
  const below = await startDeployment({ PUBLIC_URL: "https://example.com/assess/" });
  onTestFinished(() => below.stop());
  const other = await addHostedPartner(below);
  const { sessionId, hostedUrl } = await other.createHosted();
  expect(hostedUrl).toMatch(/^https:\/\/example\.com\/assess\/hosted\/pas_hl_/);
  const visitor = new Visitor(below.httpUrl);
  const start = await visitor.open(hostedUrl.replace("/assess", ""));
  expect(start).toBe(`/assess/hosted/sessions/${sessionId}`);
  const pages = ["", "/questions/2", "/review", "/questions/99"].map((rest) => start.replace("/assess", "") + rest);
  for (const page of pages) {
    const { text } = await visitor.get(page);
    const addresses = [...text.matchAll(/(?:href|src|action|data-to|data-start)="(\/[^"]*)"/g)].map(([, path]) => path);
    expect(addresses.length).toBeGreaterThan(2);
    expect(addresses.filter((path) => !path?.startsWith("/assess/hosted/"))).toEqual([]);
  }
});

test.each(["", ".", ")", ").", "%E2%80", "%", "?utm_source=mail"])(
  "a link with %j at its end, as mail programs add it, opens",
  async (tail) => {
    const { sessionId, hostedUrl } = await partner.createHosted();
    const reportUrl = await partner.shareReport(await partner.createScored());
    const opened = [];
    for (const url of [hostedUrl, reportUrl]) {
      const { status, headers } = await new Visitor(app.httpUrl).get(new URL(url).pathname + tail);
      opened.push([status, headers.get("location")]);
    }
    expect(opened).toEqual([
      [303, `/hosted/sessions/${sessionId}`],
      [303, expect.stringMatching(/^\/reports\/sessions\/[0-9a-f-]{36}$/)],
    ]);
  },
);

test("a HEAD request of a link opens no browser session", async () => {
  const { hostedUrl } = await partner.createHosted();
  const response = await fetch(hostedUrl, { method: "HEAD", redirect: "manual" });
  expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
});

test("a shared device keeps the newest browser sessions only, so that its requests stay small", async () => {
  const visitor = new Visitor(app.httpUrl);
  const starts: string[] = [];
  for (let count = 0; count < 15; count += 1) starts.push(await visitor.open((await partner.createHosted()).hostedUrl));
  expect(visitor.cookies.size).toBe(12);
  const statuses = await Promise.all(starts.map(async (start) => (await visitor.get(start)).status));
  expect(statuses).toEqual([403, 403, 403, ...Array.from({ length: 12 }, () => 200)]);
});

test.each(["hello", "pas_hl_%e2%8", "x".repeat(9000), "pas_hl_mistyped!"])(
  "a link that is none, cut or endless gets a page in words: %s",
  async (token) => {
    const { status, text, headers } = await new Visitor(app.httpUrl).get(`/hosted/${token}`);
    expect([status, headers.getSetCookie()]).toEqual([404, []]);
    expect(text).toContain("<h1>We do not know this link</h1>");
  },
);

test.each(catalogues.map(({ language }) => language))(
  "a page without a session leads to itself in every language, and speaks the one asked for: %s",
  async (language) => {
    for (const path of ["/hosted/hello", "/reports/hello", "/hosted/sessions/hello"]) {
      const { text, headers } = await new Visitor(app.httpUrl).get(`${path}?language=${language}`);
      expect(text).toContain(`<html lang="${language}"`);
      const offered = [...text.matchAll(/href="\?language=(\w+)"/g)].map(([, tag]) => tag);
      expect([...offered, language].sort()).toEqual(catalogues.map((each) => each.language).sort());
      expect(headers.getSetCookie()).toEqual([]);
    }
  },
);

test("a person can choose another language by a link, without a script, for this session alone", async () => {
  const { sessionId, visitor, start } = await enter({ locale: "de" });
  const first = await visitor.get(start);
  expect(first.text).toContain('<html lang="de"');
  expect(first.text).toContain('href="?language=en" lang="en" hreflang="en">English</a>');
  const switched = await visitor.get(`${start}?language=en`);
  expect(switched.text).toContain('<html lang="en"');
  expect(switched.text).toContain('href="?language=de" lang="de" hreflang="de">Deutsch</a>');
  const questions = await visitor.get(`${start}/questions/1`);
  expect(questions.text).toContain('<html lang="en"');
  expect(questions.text).toContain("In the life I want");
  await visitor.submit(`${start}/questions/1`, { [field(1)]: "5" });
  const [rows] = await app.database.connection.query("SELECT shown_language FROM sessions WHERE id = UNHEX(?)", [
    sessionId.replaceAll("-", ""),
  ]);
  expect(rows).toEqual([{ shown_language: "en" }]);
  const other = await partner.createHosted({ locale: "de" });
  expect((await visitor.get(await visitor.open(other.hostedUrl))).text).toContain('<html lang="de"');
  // What is no language of the pages changes nothing, in the address and in the cookie.
  expect((await visitor.get(`${start}?language=tlh`)).text).toContain('<html lang="en"');
  visitor.cookies.set(`pas-language-${sessionId}`, "no tag");
  expect((await visitor.get(start)).text).toContain('<html lang="de"');
});

test("two sessions in one browser never write into each other", async () => {
  const [one, other] = [await enter(), await enter()];
  const both = new Visitor(app.httpUrl);
  for (const { hostedUrl } of [one, other]) await both.open(hostedUrl);
  await both.submit(`${one.start}/questions/1`, { [field(1)]: "2", go: "skip" });
  await both.submit(`${other.start}/questions/1`, { [field(1)]: "6", go: "skip" });
  expect((await storedRatings(app, one.sessionId))[0]).toBe(2);
  expect((await storedRatings(app, other.sessionId))[0]).toBe(6);
});

test("the cookie of one session opens no other one, not even under the other's name", async () => {
  const [one, other] = [await enter(), await enter()];
  expect((await one.visitor.get(other.start)).status).toBe(403);
  const [token = ""] = one.visitor.cookies.values();
  const forged = new Visitor(app.httpUrl);
  forged.cookies.set(`pas-hosted-${other.sessionId}`, token);
  for (const path of ["", "/questions/1", "/review", "/onward"]) {
    const { status, text } = await forged.get(other.start + path);
    expect([path, status]).toEqual([path, 404]);
    expect(text).toContain("<h1>There is nothing here</h1>");
  }
  expect((await forged.post(`${other.start}/finish`, {})).status).toBe(404);
  expect(await storedRatings(app, other.sessionId)).toEqual([]);
});

test("a person without a valid cookie is asked to open the link again", async () => {
  const { start, sessionId } = await enter();
  const stranger = new Visitor(app.httpUrl);
  for (const token of [undefined, "x", "pas_hv_made-up"]) {
    if (token !== undefined) stranger.cookies.set(`pas-hosted-${sessionId}`, token);
    const { status, text } = await stranger.get(start);
    expect(status).toBe(403);
    expect(text).toContain("<h1>Please open your link again</h1>");
  }
});

test.each([
  ["without its token", {}, {}],
  ["with another token", { csrfToken: "made-up" }, {}],
  ["from another site", undefined, { "sec-fetch-site": "cross-site" }],
  ["from another host of the same site", undefined, { "sec-fetch-site": "same-site" }],
])("a form %s changes nothing", async (_, token, headers) => {
  const { visitor, start, sessionId } = await enter();
  const page = `${start}/questions/1`;
  const form = { ...(token ?? { csrfToken: await visitor.csrfToken(page) }), [field(1)]: "3", go: "skip" };
  const { status, text } = await visitor.post(page, form, headers);
  expect(status).toBe(403);
  expect(text).toContain("<h1>Please try that once more</h1>");
  expect(text).toContain(`href="${start}"`);
  expect((await visitor.post(`${start}/finish`, { ...form }, headers)).status).toBe(403);
  expect(await storedRatings(app, sessionId)).toEqual([]);
  expect(await partner.statusOf(sessionId)).toBe("in_progress");
});

test.each<[string, () => string, string]>([
  ["a rating that is none", () => field(1), "8"],
  ["a rating that is no number", () => field(1), "many"],
  ["a question of another session", () => "q-999999999", "3"],
  ["a question id beyond int32", () => "q-2147483648", "3"],
  ["a field that is no answer", () => "q-one", "3"],
])("a form with %s is refused as a whole, with and without script", async (_, name, rating) => {
  const { visitor, start, sessionId } = await enter();
  const page = `${start}/questions/1`;
  const form = { [name()]: rating, [field(2)]: "4", go: "skip" };
  const csrfToken = await visitor.csrfToken(page);
  expect((await visitor.post(page, { csrfToken, ...form }, byScript)).status).toBe(422);
  const { status, text } = await visitor.submit(page, form);
  expect(status).toBe(422);
  expect(text).toContain("<h1>That did not work</h1>");
  expect(await storedRatings(app, sessionId)).toEqual([]);
});

test("a body that is not a form, or too large, is refused in words", async () => {
  const { visitor, start } = await enter();
  const cookie = [...visitor.cookies].map((pair) => pair.join("=")).join("; ");
  const url = `${app.httpUrl}${start}/questions/1`;
  const send = (type: string, body: string) =>
    fetch(url, { method: "POST", headers: { cookie, "content-type": type }, body });
  const json = await send("application/json", "{}");
  expect([json.status, json.headers.get("content-type")]).toEqual([415, "text/html; charset=utf-8"]);
  const large = await send("application/x-www-form-urlencoded", `x=${"y".repeat(70_000)}`);
  expect([large.status, large.headers.get("content-type")]).toEqual([413, "text/html; charset=utf-8"]);
});

test("the last of two answers to one statement in a form counts", async () => {
  const { visitor, start, sessionId } = await enter();
  const page = `${start}/questions/1`;
  const form: [string, string][] = [
    ["csrfToken", await visitor.csrfToken(page)],
    [field(1), "2"],
    [field(1), "5"],
    ["go", "skip"],
  ];
  expect((await visitor.post(page, form)).status).toBe(303);
  expect((await storedRatings(app, sessionId))[0]).toBe(5);
});

test("following a link does not finish a session", async () => {
  const { visitor, start, sessionId } = await enter();
  await partner.record(sessionId, 1, 152);
  const { status, headers } = await visitor.get(`${start}/onward`);
  expect([status, headers.get("location")]).toEqual([303, start]);
  expect(await partner.statusOf(sessionId)).toBe("in_progress");
});

test("a session that is finished many times at once is completed once, and everybody is sent on", async () => {
  const { visitor, start, sessionId } = await enter();
  await partner.record(sessionId, 1, 152);
  const csrfToken = await visitor.csrfToken(`${start}/review`);
  const finish = () => visitor.post(`${start}/finish`, { csrfToken });
  const answered = await Promise.all(Array.from({ length: 6 }, finish));
  expect(answered.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303, 303]);
  for (const { headers } of answered) {
    expect(headers.get("location")).toMatch(
      new RegExp(`\\?order=42&sessionId=${sessionId}&status=completed&completion=`),
    );
  }
});

test("the script gets errors as status and code, not as pages", async () => {
  const { visitor, start, sessionId } = await enter();
  const page = `${start}/questions/1`;
  const csrfToken = await visitor.csrfToken(page);
  const ok = await visitor.post(page, { csrfToken, [field(1)]: "3" }, byScript);
  expect([ok.status, JSON.parse(ok.text)]).toEqual([200, { saved: 1 }]);
  expect(ok.headers.get("cache-control")).toBe("no-store");
  const wrong = await visitor.post(page, { csrfToken, [field(1)]: "9" }, byScript);
  expect([wrong.status, JSON.parse(wrong.text)]).toEqual([422, { code: "invalid_request" }]);
  expect(wrong.headers.get("cache-control")).toBe("no-store");
  await partner.complete(sessionId, new Map());
  const late = await visitor.post(page, { csrfToken, [field(1)]: "4" }, byScript);
  expect([late.status, JSON.parse(late.text)]).toEqual([409, { code: "session_completed" }]);
});

const noncesOf = (text: string) => new Set([...text.matchAll(/nonce="([^"]*)"/g)].map(([, nonce]) => nonce));

test("no page is cached, framed, sent on or loaded from elsewhere", async () => {
  const { visitor, start } = await enter();
  // Of a link that is none, nobody knows the partner: it tells of nobody, and any site may show it.
  const none = "/hosted/unknown";
  for (const path of [start, `${start}/questions/1`, `${start}/review`, `${start}/questions/99`, none]) {
    const { headers, text } = await visitor.get(path);
    const policy = headers.get("content-security-policy") ?? "";
    const [nonce = ""] = noncesOf(text);
    expect(nonce).toMatch(/^[\w-]{22}$/);
    expect(noncesOf(text).size).toBe(1);
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
      "img-src 'self'",
      "font-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      path === none ? "frame-ancestors *" : "frame-ancestors 'none'",
    ]);
    const [older, opener] = [headers.get("x-frame-options"), headers.get("cross-origin-opener-policy")];
    expect([older, opener]).toEqual(path === none ? [null, null] : ["DENY", "same-origin"]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex, nofollow",
    });
    expect(headers.get("x-request-id")).toMatch(/^[\w-]+$/);
    expect(noncesOf((await visitor.get(path)).text).has(nonce)).toBe(false);
  }
});

test("a page shows texts of partners and authors as text, whatever they contain", async () => {
  const { start, visitor } = await enter();
  const displayName = `<script>alert(1)</script> & "Söhne"`;
  await partner.brand({ displayName, logoUrl: "https://cdn.example/logo.png?a=1&b='2'" });
  onTestFinished(() => partner.brand({}));
  const { text, headers } = await visitor.get(start);
  expect(text).not.toContain("<script>alert");
  expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Söhne&quot;");
  expect(text).toContain('src="https://cdn.example/logo.png?a=1&amp;b=&#39;2&#39;"');
  expect(headers.get("content-security-policy")).toContain("img-src 'self' https://cdn.example;");
});

test("pages are compressed for browsers that can read that, and their stylesheet, fonts and script are cached for good", async () => {
  const { start, visitor } = await enter();
  const plain = await visitor.get(start, { "accept-encoding": "identity" });
  const packed = await visitor.get(start, { "accept-encoding": "gzip" });
  expect([plain.headers.get("content-encoding"), packed.headers.get("content-encoding")]).toEqual([null, "gzip"]);
  const paths = [...plain.text.matchAll(/(?:href|src)="(\/hosted\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
  expect(paths.map((path) => path.replace(/\.[\w-]{12}\./, ".*."))).toEqual([
    "/hosted/assets/icon.*.svg",
    "/hosted/assets/report-sans-regular.*.woff2",
    "/hosted/assets/report-sans-bold.*.woff2",
    "/hosted/assets/hosted.*.css",
    "/hosted/assets/hosted.*.js",
  ]);
  for (const path of paths) {
    const bodies = new Set<string>();
    for (const coding of ["br", "gzip", "identity"]) {
      const { headers, text } = await visitor.get(path, { "accept-encoding": coding });
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(headers.get("content-encoding") ?? "identity").toBe(coding);
      bodies.add(text);
    }
    expect(bodies.size).toBe(1);
  }
});

test("a page that does not exist is an error in words, with a link back for people with a browser session", async () => {
  const { start, visitor } = await enter();
  for (const rest of ["/questions/0", "/questions/33", "/questions/x", "/questions/1e1"]) {
    const { status, text } = await visitor.get(start + rest);
    expect([rest, status]).toEqual([rest, 404]);
    expect(text).toContain("<h1>There is nothing here</h1>");
  }
  expect((await visitor.get(`${start}/questions/33`)).text).toContain(`href="${start}"`);
  const { status, headers } = await visitor.get("/hosted/no/such/page");
  expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
});

test("too many requests of one session are asked to wait, and others are not", async () => {
  const limited = await startDeployment({ HOSTED_RATE_LIMIT_PER_MINUTE: "5" });
  onTestFinished(() => limited.stop());
  const other = await addHostedPartner(limited);
  const visitor = new Visitor(limited.httpUrl);
  const start = await visitor.open((await other.createHosted()).hostedUrl);
  for (let count = 0; count < 4; count += 1) expect((await visitor.get(start)).status).toBe(200);
  const { status, headers, text } = await visitor.get(start);
  expect(status).toBe(429);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(text).toContain("<h1>One moment, please</h1>");
  expect(text).toContain(`href="${start}"`);
  const second = await visitor.open((await other.createHosted()).hostedUrl);
  expect((await visitor.get(second)).status).toBe(200);
});

test("while the core of a separate gateway is away, people can send their form again", async () => {
  const core = await startTestApp();
  const gateway = await gatewayOfTest(core);
  const other = await addHostedPartner(core);
  const { hostedUrl } = await other.createHosted();
  const visitor = new Visitor(gateway.httpUrl);
  const page = `${await visitor.open(hostedUrl)}/questions/1`;
  const csrfToken = await visitor.csrfToken(page);
  await core.stop();
  const away = await visitor.post(page, { csrfToken, [field(2)]: "4", go: "next", other: "left out" });
  expect(away.status).toBe(503);
  expect(away.headers.get("retry-after")).toBe("1");
  expect(away.text).toContain("<h1>We will be back in a moment</h1>");
  expect(away.text).toContain(`<form method="post" action="${page}">`);
  for (const [name, value] of [
    ["csrfToken", csrfToken],
    [field(2), "4"],
    ["go", "next"],
  ]) {
    expect(away.text).toContain(`<input type="hidden" name="${name}" value="${value}">`);
  }
  expect(away.text).not.toContain("left out");
});
