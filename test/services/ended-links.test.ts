// Links that are over, of every kind and however they ended: their pages keep the look and the language of the partner's pages,
// from one process as through a gateway of its own.
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { PersonSecretKind } from "../../src/domain/identity/secrets.ts";
import { uuidToBytes } from "../../src/kernel/ids.ts";
import { deriveAccents } from "../../src/presentation/accent.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { Visitor } from "../support/browser/visitor.ts";
import { appOfFile, gatewayOfFile } from "../support/of-file.ts";

const app = await appOfFile();
const [gateway, partner] = await Promise.all([gatewayOfFile(app), addHostedPartner(app)]);
const logoUrl = "https://acme.example/logo.svg";
await partner.brand({ displayName: "Acme Coaching", accentColor: "#c2410c", logoUrl });

/** A page that is over, and the language that is stored with it, if it is still stored. */
interface Ended {
  readonly path: string;
  readonly status: number;
  readonly language?: string;
}
/** Opens something with the visitor, and ends it. */
type End = (visitor: Visitor) => Promise<Ended>;

const expire = (table: string, sessionId: string) =>
  app.database.connection.query(`UPDATE ${table} SET expires_at = NOW(3) - INTERVAL 1 MINUTE WHERE session_id = ?`, [
    uuidToBytes(sessionId),
  ]);
const pathOf = (url: string) => new URL(url).pathname;
const cut = (path: string) => path.slice(0, -20);
const person = () => ({ subject: { externalId: randomUUID() } });

async function hosted(visitor: Visitor) {
  const { subject } = person();
  const { sessionId, hostedUrl } = await partner.createHosted({ locale: "de", subject });
  return { sessionId, ...subject, path: pathOf(hostedUrl), start: await visitor.open(hostedUrl) };
}

async function report(visitor: Visitor, locale?: string) {
  const { subject } = person();
  const sessionId = await partner.createScored(0, { locale: "de", subject });
  const url = await partner.shareReport(sessionId, locale === undefined ? {} : { locale });
  return { sessionId, ...subject, path: pathOf(url), start: await visitor.open(url) };
}

async function card(visitor: Visitor) {
  const opened = await report(visitor);
  await visitor.submit(opened.start, { go: "share", language: "nl" }, `${opened.start}/card`);
  const [path = ""] = /\/reports\/cards\/\w+/.exec((await visitor.get(opened.start)).text) ?? [];
  return { ...opened, path };
}

/** How what a token of each kind opens can end. */
const ends: Readonly<Record<PersonSecretKind, Readonly<Record<string, End>>>> = {
  hostedLink: {
    async replaced(visitor) {
      const { sessionId, path } = await hosted(visitor);
      await partner.newLink(sessionId);
      return { path, status: 410 };
    },
    async expired(visitor) {
      const { sessionId, path } = await hosted(visitor);
      await expire("hosted_links", sessionId);
      return { path, status: 410, language: "de" };
    },
    async erased(visitor) {
      const { externalId, path } = await hosted(visitor);
      await partner.erase(externalId);
      return { path, status: 410 };
    },
    cut: async (visitor) => ({ path: cut((await hosted(visitor)).path), status: 404 }),
  },
  hostedBrowserSession: {
    async "without its link"(visitor) {
      const { sessionId, start } = await hosted(visitor);
      await partner.newLink(sessionId);
      return { path: `${start}/questions/1`, status: 403 };
    },
    async "of an expired session"(visitor) {
      const { sessionId, start } = await hosted(visitor);
      await partner.expire(sessionId);
      return { path: start, status: 409, language: "de" };
    },
    async "of a cancelled session"(visitor) {
      const { sessionId, start } = await hosted(visitor);
      await partner.cancel(sessionId);
      return { path: start, status: 409, language: "de" };
    },
  },
  reportLink: {
    async revoked(visitor) {
      const { sessionId, path } = await report(visitor);
      await partner.revokeReports(sessionId);
      return { path, status: 410 };
    },
    async expired(visitor) {
      const { sessionId, path } = await report(visitor);
      await expire("report_links", sessionId);
      return { path, status: 410, language: "de" };
    },
    async "expired, in a language of its own"(visitor) {
      const { sessionId, path } = await report(visitor, "fr");
      await expire("report_links", sessionId);
      return { path, status: 410, language: "fr" };
    },
    cut: async (visitor) => ({ path: cut((await report(visitor)).path), status: 404 }),
  },
  reportBrowserSession: {
    async "without its link"(visitor) {
      const { sessionId, start } = await report(visitor);
      await partner.revokeReports(sessionId);
      return { path: start, status: 403 };
    },
    async "whose document is asked for"(visitor) {
      const { sessionId, start } = await report(visitor);
      await partner.revokeReports(sessionId);
      return { path: `${start}/report.pdf`, status: 403 };
    },
  },
  reportCard: {
    async "taken back"(visitor) {
      const { start, path } = await card(visitor);
      await visitor.submit(start, { go: "remove" }, `${start}/card`);
      return { path, status: 410 };
    },
    async expired(visitor) {
      const { sessionId, path } = await card(visitor);
      await expire("report_links", sessionId);
      return { path, status: 410, language: "nl" };
    },
    async "without answers"(visitor) {
      const { sessionId, path } = await card(visitor);
      await partner.deleteAnswers(sessionId);
      return { path, status: 410, language: "nl" };
    },
    cut: async (visitor) => ({ path: cut((await card(visitor)).path), status: 404 }),
  },
};

const reader = { "accept-language": "it" };
const own = [
  `<img class="logo" src="${logoUrl}" alt="Acme Coaching"`,
  `--fill:${deriveAccents("#c2410c").fill};`,
] as const;

describe.each([
  ["one process", app.httpUrl],
  ["a gateway of its own", gateway.httpUrl],
])("from %s", (_way, origin) => {
  test.each(
    Object.entries(ends).flatMap(([kind, ways]) => Object.entries(ways).map(([way, end]) => [kind, way, end] as const)),
  )("a %s that is %s has the partner's look, and the language stored with it or of its reader", async (_k, _w, end) => {
    const visitor = new Visitor(origin);
    const { path, status, language = "it" } = await end(visitor);
    const { text, ...page } = await visitor.get(path, reader);
    expect([page.status, /<html lang="([^"]+)"/.exec(text)?.[1]]).toEqual([status, language]);
    for (const part of own) expect(text).toContain(part);
    expect(page.headers.get("content-security-policy")).toContain("img-src 'self' https://acme.example;");
    const chosen = await visitor.get(`${path}?language=es`, reader);
    expect(/<html lang="([^"]+)"/.exec(chosen.text)?.[1]).toBe("es");
  });

  test.each(["/hosted/pas_hl_", "/reports/pas_rl_", "/reports/cards/pas_rc_"])(
    "a link %s… that names no partner has the neutral look, in the language of its reader",
    async (begin) => {
      for (const end of ["", "x", "0".repeat(71), "z".repeat(71)]) {
        const { status, text } = await new Visitor(origin).get(begin + end, reader);
        expect([end, status, /<html lang="([^"]+)"/.exec(text)?.[1]]).toEqual([end, 404, "it"]);
        for (const part of own) expect(text).not.toContain(part);
      }
    },
  );

  test("a person keeps the language that they chose on the pages when their browser session is over", async () => {
    const visitor = new Visitor(origin);
    const { sessionId, start } = await hosted(visitor);
    await visitor.get(`${start}?language=fr`);
    await partner.newLink(sessionId);
    const { status, text } = await visitor.get(start, reader);
    expect([status, /<html lang="([^"]+)"/.exec(text)?.[1]]).toEqual([403, "fr"]);
  });
});
