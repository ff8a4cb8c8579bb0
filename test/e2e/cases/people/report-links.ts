// Cases of links to reports: what partners make and end over every transport, and people open.
import { expect } from "vitest";
import { Visitor } from "../../../support/browser/visitor.ts";
import { startReceiver } from "../../../support/webhooks/receiver.ts";
import { bodyOf, type Cases, completedSession, expectRefused, newSession, uniqueId, type World } from "../case.ts";

const hour = 3_600_000;

/** A scored session with a link to its report, and somebody who opened it. */
async function opened(world: World, input: { externalId?: string; locale?: string } = {}) {
  const { app, transport, alice } = world;
  const subject = { subject: { externalId: input.externalId ?? uniqueId("reader") } };
  const { sessionId } = await completedSession(world, subject);
  const { locale } = input;
  const link = bodyOf(await transport.createReportLink(alice, sessionId, locale === undefined ? {} : { locale }));
  const visitor = new Visitor(app.httpUrl);
  return { sessionId, link, visitor, page: await visitor.open(link.reportUrl), path: new URL(link.reportUrl).pathname };
}

export const reportLinkCases: Cases = {
  "a link leads to the report of its session, as a page and as a document, without any token": async (world) => {
    const { sessionId, link, visitor, page } = await opened(world);
    expect(link.reportUrl).toMatch(new RegExp(`^${world.app.httpUrl}/reports/pas_rl_[0-9A-Za-z]{71}$`));
    expect(page).toBe(`/reports/sessions/${sessionId}`);
    const shown = await visitor.get(page);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(shown.text).toContain("the life you want");
    const pdf = await visitor.get(`${page}/report.pdf`);
    expect([pdf.status, pdf.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(pdf.headers.get("content-disposition")).toBe(`attachment; filename="values-${sessionId.slice(0, 8)}.pdf"`);
  },
  "a link works for a week, or for the time asked for, from an hour to 90 days": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await completedSession(world);
    for (const [input, hours] of [
      [undefined, 168],
      [{}, 168],
      [{ expiresInSeconds: 3_600 }, 1],
      [{ expiresInSeconds: 7_776_000 }, 2_160],
    ] as const) {
      const before = Date.now();
      const { expiresAt } = bodyOf(await transport.createReportLink(alice, sessionId, input));
      const lifeMs = new Date(expiresAt ?? 0).getTime() - before;
      expect(Math.round(lifeMs / hour)).toBe(hours);
    }
  },
  "a link carries a name and a day onto the report, and into no log line": async (world) => {
    const { app, transport, alice } = world;
    const { sessionId } = await completedSession(world);
    const name = `Zoë <b> ${uniqueId("name")}`;
    const query = { name, date: "2026-11-23", locale: "en" };
    const { reportUrl } = bodyOf(await transport.createReportLink(alice, sessionId, query));
    const visitor = new Visitor(app.httpUrl);
    const page = await visitor.open(reportUrl);
    const { text } = await visitor.get(page);
    const escaped = name.replace("<b>", "&lt;b&gt;");
    expect(text).toContain(`<p class="for"><bdi>${escaped}</bdi>, <span class="day">23 November 2026</span></p>`);
    expect(app.logLines.filter((line) => line.includes(name.slice(8)))).toEqual([]);
    const { page: plain, visitor: other } = await opened(world);
    expect((await other.get(plain)).text).not.toContain('class="for"');
  },
  "a link's language is the one that the partner asked for, else the reader's": async (world) => {
    const german = await opened(world, { locale: "de" });
    const shown = await german.visitor.get(german.page, { "accept-language": "en" });
    expect(shown.headers.get("content-language")).toBe("de");
    const free = await opened(world);
    const free1 = await free.visitor.get(free.page, { "accept-language": "ja, de;q=0.5" });
    expect(free1.headers.get("content-language")).toBe("de");
  },
  "a revoked link and its browser sessions read nothing any more, and a new link does": async (world) => {
    const { transport, alice } = world;
    const { sessionId, visitor, page, path } = await opened(world);
    bodyOf(await transport.revokeReportLinks(alice, sessionId));
    expect((await visitor.get(path)).status).toBe(410);
    expect((await visitor.get(page)).status).toBe(403);
    expect((await visitor.get(`${page}/report.pdf`)).status).toBe(403);
    bodyOf(await transport.revokeReportLinks(alice, sessionId));
    const { reportUrl } = bodyOf(await transport.createReportLink(alice, sessionId));
    expect((await visitor.get(await visitor.open(reportUrl))).status).toBe(200);
  },
  "erasing the person ends links and their browser sessions": async (world) => {
    const { transport, alice } = world;
    const externalId = uniqueId("erased");
    const { visitor, page, path } = await opened(world, { externalId });
    bodyOf(await transport.eraseSubject(alice, externalId));
    expect((await visitor.get(path)).status).toBe(410);
    expect((await visitor.get(page)).status).toBe(403);
  },
  "a session without results, another partner's and a missing one get no link": async (world) => {
    const { transport, alice, bob } = world;
    const { sessionId: open } = await newSession(world);
    const { sessionId } = await completedSession(world);
    const targets = [
      [bob, open],
      [bob, sessionId],
      [alice, crypto.randomUUID()],
      [alice, "no id"],
    ] as const;
    const refusals = await Promise.all(targets.map(([as, id]) => transport.createReportLink(as, id)));
    for (const refusal of refusals) expect(refusal).toEqual(refusals[0]);
    expectRefused(await transport.createReportLink(alice, open), "not_found");
    expectRefused(await transport.revokeReportLinks(bob, sessionId), "not_found");
  },
  "the step that a partner sets for a person is on their own report only, and is replaced and removed": async (
    world,
  ) => {
    const { transport, alice } = world;
    const { sessionId, visitor, page } = await opened(world);
    const first = bodyOf(await transport.setIntention(alice, sessionId, { step: "Sow <one> plant" }));
    expect(first).toEqual({ step: "Sow <one> plant", lookAgainOn: null });
    const step = { step: "Call one person", lookAgainOn: "2027-01-07" };
    bodyOf(await transport.setIntention(alice, sessionId, step));
    expect(bodyOf(await transport.getIntention(alice, sessionId))).toEqual(step);
    const shown = (await visitor.get(page)).text;
    expect(shown).toContain("Your step: Call one person");
    expect(shown).toContain("look again on 7 January 2027");
    for (const format of ["json", "html"]) {
      const { body } = bodyOf(await transport.renderReport(alice, { sessionId }, { format }));
      expect(body.toString()).not.toContain("Your step");
    }
    bodyOf(await transport.setIntention(alice, sessionId, { step: " " }));
    expectRefused(await transport.getIntention(alice, sessionId), "not_found");
    expect((await visitor.get(page)).text).not.toContain("Your step");
  },
  "a person chooses a step on their report, finds it there the next time, and removes it": async (world) => {
    const { transport, alice } = world;
    const externalId = uniqueId("chooser");
    const { sessionId, visitor, page } = await opened(world, { externalId });
    bodyOf(await transport.setIntention(alice, sessionId, { step: "Ask before you help" }));
    const choose = (form: Record<string, string>) => visitor.submit(page, form, `${page}/step`);
    const sent = await choose({ step: "Sow one plant", own: " Walk <home> ", day: "2027-01-07" });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, `${page}#step`]);
    const kept = { step: "Walk <home>", lookAgainOn: "2027-01-07" };
    expect(bodyOf(await transport.getIntention(alice, sessionId))).toEqual(kept);
    const shown = (await visitor.get(page)).text;
    expect(shown).toContain("Your step: Walk &lt;home&gt;");
    const [, path = ""] = /<a href="([^"]+\.ics)">/.exec(shown) ?? [];
    const file = await visitor.get(path);
    expect([file.status, file.headers.get("content-type"), file.headers.get("content-disposition")]).toEqual([
      200,
      "text/calendar; charset=utf-8",
      'attachment; filename="look-again.ics"',
    ]);
    expect(file.text).toContain("\r\nDTSTART;VALUE=DATE:20270107\r\n");
    expect(file.text).toContain("\r\nDESCRIPTION:Walk <home>\r\n");
    const again = await opened(world, { externalId });
    expect((await again.visitor.get(again.page)).text).toContain("Last time you chose: Walk &lt;home&gt;");
    expect((await choose({ own: "x".repeat(201) })).status).toBe(422);
    expect((await choose({ go: "remove", step: "Sow one plant", day: "" })).status).toBe(303);
    expectRefused(await transport.getIntention(alice, sessionId), "not_found");
    expect((await visitor.get(path)).status).toBe(404);
    expect((await new Visitor(world.app.httpUrl).get(path)).status).toBe(403);
    expect((await visitor.post(`${page}/step`, { own: "Sow one plant" })).status).toBe(403);
  },
  "a new step is one event without the step itself, however often it changes within ten minutes": async (world) => {
    const { transport, alice } = world;
    const { sessionId, visitor, page } = await opened(world);
    const types = ["intention.set"];
    const { next } = bodyOf(await transport.listEvents(alice, { types, after: "now" }));
    const { url, received } = await startReceiver();
    bodyOf(await transport.createWebhookEndpoint(alice, { url, types }));
    const set = async (step: string) => bodyOf(await transport.setIntention(alice, sessionId, { step }));
    for (const step of ["Sow one plant", "Sow one plant", "", "Sow one plant"]) await set(step);
    await visitor.submit(page, { own: "Walk home", day: "" }, `${page}/step`);
    await expect.poll(() => received.length).toBe(1);
    const { events } = bodyOf(await transport.listEvents(alice, { types, after: next }));
    const id = `evt_${sessionId.replaceAll("-", "")}_intention_set`;
    expect(events).toMatchObject([{ id, type: "intention.set", data: { sessionId } }]);
    expect(received.map(({ event }) => event)).toEqual(events);
    expect(JSON.stringify(events)).not.toMatch(/plant|Walk/);
  },
  "an invalid step, and one of a session that is not the partner's or has no results, are refused": async (world) => {
    const { transport, alice, bob } = world;
    const { sessionId } = await completedSession(world);
    for (const [input, pointer, code] of [
      [{ step: "x".repeat(201) }, "#/step", "too_long"],
      [{ step: "a\nb" }, "#/step", "invalid_characters"],
      [{ step: "a", lookAgainOn: "2027-02-30" }, "#/lookAgainOn", "invalid_format"],
    ] as const) {
      expectRefused(await transport.setIntention(alice, sessionId, input), "invalid_request", [{ pointer, code }]);
    }
    const { sessionId: open } = await newSession(world);
    for (const [as, id] of [
      [bob, sessionId],
      [alice, open],
      [alice, crypto.randomUUID()],
    ] as const) {
      expectRefused(await transport.setIntention(as, id, { step: "Sow one plant" }), "not_found");
      expectRefused(await transport.getIntention(as, id), "not_found");
    }
  },
};
