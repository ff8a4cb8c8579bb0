// Cases of reports: results for people, in every format, over every transport.
import { expect } from "vitest";
import valuesBridge from "../../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import { changedSheets } from "../../../support/reports/reports.ts";
import type { ReportBody } from "../../../support/transports/transports.ts";
import {
  bodyOf,
  type Cases,
  completedSession,
  completedWith,
  expectRefused,
  newSession,
  reportFormats,
  uniqueId,
  type World,
} from "../case.ts";

const reported = async (world: World, input = {}) => {
  const { sessionId, subject } = await completedSession(world, input);
  return { sessionId, externalId: subject.externalId };
};

export const reportCases: Cases = {
  "a report holds the numbers that the explanation of the results holds": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await reported(world);
    const report = bodyOf(await transport.getReport(alice, { sessionId }));
    const { explanation } = bodyOf(await transport.getSessionResults(alice, sessionId, { explain: true }));
    const scores = (values: ReportBody["values"]) => values.map(({ valueId, ideal }) => [valueId, ideal.score]);
    expect(report.sessionId).toBe(sessionId);
    expect(scores(report.values).sort()).toEqual(
      explanation?.values.map(({ valueId, ideal }) => [valueId, ideal.score]).sort(),
    );
    expect(report.values.map(({ valueId }) => valueId)).toEqual(valuesBridge.values.map(({ id }) => id));
  },
  "every format has its type, its language, a tag, and a file name without the person": async (world) => {
    const { transport, alice } = world;
    const externalId = uniqueId("ÄÖ-secret");
    const { sessionId } = await reported(world, { subject: { externalId } });
    for (const [format, mediaType, start] of reportFormats) {
      const rendered = bodyOf(await transport.renderReport(alice, { sessionId }, { format }));
      const { body, ...about } = rendered;
      expect(about).toMatchObject({ mediaType, language: "en", notModified: false });
      expect(about.entityTag).toMatch(/^"[\w-]{24}"$/);
      expect(about.fileName).toMatch(new RegExp(`^values-${sessionId.slice(0, 8)}(-circle)?\\.${format}$`));
      expect(body.toString("latin1")).toMatch(start);
      expect(body.includes(externalId)).toBe(false);
    }
  },
  "a name and a day appear on the report that is requested with them, and on no other": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await reported(world);
    const query = { name: "Zoë <b>O’Neil</b>", date: "2026-03-01" };
    const { cover } = bodyOf(await transport.getReport(alice, { sessionId }, { ...query, locale: "de" }));
    expect(cover).toEqual({ name: query.name, date: "1. März 2026" });
    const inTokyo = await transport.getReport(alice, { sessionId }, { timeZone: "Asia/Tokyo" });
    expect(bodyOf(inTokyo).introduction).not.toContain("(UTC)");
    const html = bodyOf(await transport.renderReport(alice, { sessionId }, { ...query, format: "html" }));
    expect(html.body.toString()).toContain("Zoë &lt;b&gt;O’Neil&lt;/b&gt;");
    expect(html.fileName).not.toContain("Zo");
    const again = bodyOf(await transport.getReport(alice, { sessionId }));
    expect(again.cover ?? null).toBeNull();
    expect(again.introduction).toContain("(UTC)");
  },
  "an empty name, one of more than 60 characters or with control characters, and an invalid day are refused": async (
    world,
  ) => {
    const { transport, alice } = world;
    const { sessionId } = await reported(world);
    for (const input of [
      { name: "x".repeat(61) },
      { name: " " },
      { name: "a\u0007b" },
      { date: "2026-02-30" },
      { date: "1 March" },
      { date: "+012026-03-01" },
      { timeZone: "Mars/Olympus" },
    ]) {
      const refused = { ok: false, code: "invalid_request" };
      expect(await transport.getReport(alice, { sessionId }, input)).toMatchObject(refused);
      expect(await transport.renderReport(alice, { sessionId }, input)).toMatchObject(refused);
    }
    bodyOf(await transport.getReport(alice, { sessionId }, { name: "😀".repeat(60), date: "2028-02-29" }));
  },
  "picture and paper are those asked for": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await reported(world);
    const gaps = bodyOf(await transport.renderReport(alice, { sessionId }, { format: "svg", picture: "gaps" }));
    expect(gaps.fileName).toMatch(/-gaps\.svg$/);
    const letter = bodyOf(await transport.renderReport(alice, { sessionId }, { format: "pdf", paper: "letter" }));
    expect(letter.body.toString("latin1").match(/\/MediaBox \[0 0 612 792\]/g)?.length).toBeGreaterThan(1);
  },
  "a report names what changed since the person's earlier session, and the earlier report does not": async (world) => {
    const { transport, alice } = world;
    const subject = { externalId: uniqueId("changed") };
    const sheets = changedSheets(15);
    const before = await completedWith(world, sheets.before, { subject });
    const { sessionId } = await completedWith(world, sheets.after, { subject });
    const { change } = bodyOf(await transport.getReport(alice, { sessionId }));
    expect(change?.entries).toEqual([
      {
        valueId: 15,
        life: "ideal",
        steps: 6,
        before: 0,
        now: 1,
        text: "Reliability: wanted 6 points more than then.",
      },
      {
        valueId: 15,
        life: "current",
        steps: 6,
        before: 0,
        now: 1,
        text: "Reliability: lived 6 points more than then.",
      },
    ]);
    expect(bodyOf(await transport.getReport(alice, before)).change ?? null).toBeNull();
    const html = bodyOf(await transport.renderReport(alice, subject, { format: "html" })).body.toString();
    expect(html).toContain("Reliability: lived 6 points more than then.");
  },
  "a report's language is the one asked for, else the reader's, else the session's, else English": async (world) => {
    const { transport, alice } = world;
    const languageOf = async (id: string, input: { locale?: string; languages?: string[] }) =>
      bodyOf(await transport.renderReport(alice, { sessionId: id }, input)).language;
    const { sessionId: german } = await reported(world, { locale: "de-AT" });
    const { sessionId } = await reported(world);
    expect(await languageOf(german, {})).toBe("de");
    expect(await languageOf(german, { languages: ["ja", "en-GB"] })).toBe("en");
    expect(await languageOf(german, { languages: ["ja"] })).toBe("de");
    expect(await languageOf(sessionId, { locale: "de", languages: ["en"] })).toBe("de");
    expect(await languageOf(sessionId, { locale: "ja", languages: ["de"] })).toBe("de");
    expect(await languageOf(sessionId, { locale: "ja" })).toBe("en");
  },
  "a report that the caller already has is not rendered again, and another format of it is": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await reported(world);
    for (const format of ["json", "html", "pdf"]) {
      const { entityTag, body } = bodyOf(await transport.renderReport(alice, { sessionId }, { format }));
      const again = bodyOf(await transport.renderReport(alice, { sessionId }, { format, knownEntityTag: entityTag }));
      expect(again).toMatchObject({ notModified: true, entityTag, body: Buffer.alloc(0) });
      const other = bodyOf(
        await transport.renderReport(alice, { sessionId }, { format, locale: "de", knownEntityTag: entityTag }),
      );
      expect(other).toMatchObject({ notModified: false });
      expect(other.body.equals(body)).toBe(false);
    }
  },
  "an unknown format, an unknown picture, an unknown paper and an invalid locale are refused": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await reported(world);
    // All of them are query parameters of REST, where no pointer leads to.
    const expectRefusal = async (input: Record<string, string>, code: string) =>
      expectRefused(await transport.renderReport(alice, { sessionId }, input), "invalid_request", [
        { pointer: "#", code },
      ]);
    expectRefused(await transport.renderReport(alice, { sessionId }, { format: "docx" }), "not_acceptable");
    await expectRefusal({ picture: "radar" }, "unknown_value");
    await expectRefusal({ paper: "a5" }, "unknown_value");
    await expectRefusal({ locale: "not a tag" }, "invalid_format");
  },
  "another partner's session and a missing one get the same error; the own unscored one says so": async (world) => {
    const { transport, alice, bob } = world;
    const { sessionId: open } = await newSession(world);
    const { sessionId, externalId } = await reported(world, { subject: { externalId: uniqueId("mine") } });
    const targets = [
      [bob, { sessionId }],
      [bob, { externalId }],
      [alice, { sessionId: crypto.randomUUID() }],
      [alice, { sessionId: "no id" }],
      [alice, { externalId: uniqueId("nobody") }],
    ] as const;
    const refusals = await Promise.all(targets.map(([as, target]) => transport.getReport(as, target)));
    for (const refusal of refusals) expect(refusal).toEqual(refusals[0]);
    expectRefused(await transport.getReport({ ...alice, product: "other" }, { sessionId }), "not_found");
    const notScored = await transport.getReport(alice, { sessionId: open });
    expectRefused(notScored, "not_found");
    expect(notScored).toMatchObject({ detail: "The session is not completed, so it has no results." });
    expectRefused(await transport.renderReport(bob, { sessionId }, { format: "pdf" }), "not_found");
  },
};
