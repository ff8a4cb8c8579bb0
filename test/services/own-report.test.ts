// A person's own report: who lets them in, what they see, and what stays closed.
import { timestampDate, timestampNow } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { HostedService } from "../../src/gen/assessment/v1/hosted_service_pb.ts";
import { ReportFormat, ReportPictureName, ReportService } from "../../src/gen/assessment/v1/report_service_pb.ts";
import { PersonAccess, SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { uuidToBytes } from "../../src/kernel/ids.ts";
import { Visitor } from "../support/browser/visitor.ts";
import { lockRows, untilRunning } from "../support/databases/locks.ts";
import { countOf } from "../support/databases/stores.ts";
import { callsInFlight } from "../support/measures/series.ts";
import { readPdf } from "../support/reports/pdf.ts";
import { bearer, refusal } from "../support/transports/grpc-client.ts";
import type { InputOf } from "../support/transports/transports.ts";
import { peopleOfFile } from "./service-with-people.ts";

const reports = ReportService.method;
const rpcs = HostedService.method;

const { app, partner, client, openHosted, openReport } = await peopleOfFile();

async function reasonOf(call: Promise<unknown>): Promise<string | undefined> {
  return (await refusal(call)).findDetails(ErrorInfoSchema)[0]?.reason;
}

/** A scored session whose report somebody opened by a link. */
async function linked(scoredId?: string, link: InputOf<"createReportLink"> = {}) {
  const sessionId = scoredId ?? (await partner.createScored());
  const opened = await openReport(sessionId, link);
  const render = (more: Record<string, unknown> = {}) =>
    client.unary(reports.renderOwnReport, { sessionId, ...more }, bearer(opened.browserSessionToken));
  return { ...opened, render };
}

/** A hosted session with all answers, and a browser session of it. */
async function hostedSession(changes: InputOf<"createSession"> = {}) {
  const { sessionId, browserSessionToken } = await openHosted(changes);
  await partner.record(sessionId, 1, 152);
  const call = { sessionId };
  return {
    sessionId,
    browserSessionToken,
    finish: () => client.unary(rpcs.finishHostedSession, call, bearer(browserSessionToken)),
    openOwn: () => client.unary(rpcs.openOwnReport, call, bearer(browserSessionToken)),
  };
}

const views = (sessionId: string) =>
  countOf(app.database.connection, "SELECT COUNT(*) FROM report_views WHERE session_id = ?", [uuidToBytes(sessionId)]);

test("whoever came by a report link has nowhere to go on to", async () => {
  const { render } = await linked();
  const page = await render({ onwardPath: "/somewhere/onward" });
  expect(Buffer.from(page.body).toString()).not.toContain("/somewhere/onward");
});

test("dates of a report are in the time zone of the link, else of the browser, else in UTC, on page and PDF alike", async () => {
  const dayIn = (timeZone: string, moment: Date) => moment.toLocaleDateString("en-GB", { dateStyle: "long", timeZone });
  const zoned = await linked(undefined, { timeZone: "Pacific/Kiritimati" });
  const browser = { timeZone: "Pacific/Pago_Pago" };
  const textOf = async (page: { readonly body: Uint8Array }) => Buffer.from(page.body).toString();
  const until = timestampDate(zoned.expiresAt ?? timestampNow());
  // Between these two zones it is never the same day.
  expect(await textOf(await zoned.render(browser))).toContain(`until ${dayIn("Pacific/Kiritimati", until)}.`);
  const pdf = await readPdf((await zoned.render({ ...browser, format: ReportFormat.PDF })).body);
  expect(pdf.elements.map(({ text }) => text).join(" ")).toContain(dayIn("Pacific/Kiritimati", new Date()));
  const plain = await linked(zoned.sessionId);
  expect(await textOf(await plain.render(browser))).toContain(`until ${dayIn("Pacific/Pago_Pago", until)}.`);
  expect(await textOf(await plain.render())).toContain(`until ${dayIn("UTC", until)} (UTC).`);
});

test("a person gets a PDF without any link, the same bytes as the partner's", async () => {
  const { render, sessionId } = await linked();
  const { body } = await render({ format: ReportFormat.PDF });
  const message = { product: "values-bridge", format: ReportFormat.PDF };
  const session = { case: "sessionId" as const, value: sessionId };
  const own = await client.unary(reports.renderReport, { ...message, session }, bearer(partner.token));
  expect(Buffer.from(body).equals(own.body)).toBe(true);
  expect(Buffer.from(body).toString("latin1")).not.toMatch(/\/URI|pas_r|\/reports\//);
  expect((await readPdf(body)).pages).toBe(4);
});

test.each([ReportFormat.JSON, ReportFormat.SVG, ReportFormat.PNG, 99])(
  "a person cannot get a report in the format %i",
  async (format) => {
    const { render } = await linked();
    expect(await reasonOf(render({ format }))).toBe("NOT_ACCEPTABLE");
  },
);

test("the browser session of a report opens no other report, not its session, and no call of a partner", async () => {
  const { browserSessionToken, sessionId } = await linked();
  const other = await linked();
  const elsewhere = { sessionId: other.sessionId };
  expect(await reasonOf(client.unary(reports.renderOwnReport, elsewhere, bearer(browserSessionToken)))).toBe(
    "NOT_FOUND",
  );
  const product = "values-bridge";
  const closed = [
    client.unary(
      reports.getReport,
      { product, session: { case: "sessionId", value: sessionId } },
      bearer(browserSessionToken),
    ),
    client.unary(reports.createReportLink, { product, sessionId }, bearer(browserSessionToken)),
    client.unary(SessionService.method.getSessionResults, { product, sessionId }, bearer(browserSessionToken)),
    client.unary(rpcs.getHostedSession, { sessionId }, bearer(browserSessionToken)),
    client.unary(rpcs.openOwnReport, { sessionId }, bearer(browserSessionToken)),
  ];
  for (const call of closed) expect(await reasonOf(call)).toBe("UNAUTHENTICATED");
});

test("a report that could not be rendered counts as no view", async () => {
  const created = await partner.createHosted({});
  await partner.complete(created.sessionId, new Map([[1001, 4]]));
  const { render, sessionId } = await linked(created.sessionId);
  // One answer names no value, of which a poster is made.
  const poster = { format: ReportFormat.PDF, picture: ReportPictureName.POSTER };
  expect(await reasonOf(render(poster))).toBe("NOT_ACCEPTABLE");
  expect(await views(sessionId)).toBe(0);
  await render();
  expect(await views(sessionId)).toBe(1);
});

test("a view is recorded in a slot of its call, as everything that calls do in the database", async () => {
  const { render, sessionId } = await linked();
  const lock = "SELECT id FROM sessions WHERE id = ? FOR UPDATE";
  const release = await lockRows(app.database, lock, [uuidToBytes(sessionId)]);
  const rendering = render();
  await untilRunning(app.database, "INSERT INTO report_views");
  const running = await callsInFlight(app.httpUrl, "running");
  await release();
  await rendering;
  expect([running, await views(sessionId)]).toEqual([1, 1]);
});

test("a HEAD request counts as no view", async () => {
  const sessionId = await partner.createScored();
  const reportUrl = await partner.shareReport(sessionId);
  const visitor = new Visitor(app.httpUrl);
  const page = await visitor.open(reportUrl);
  for (const path of [new URL(reportUrl).pathname, page, `${page}/report.pdf`, `${page}/poster.pdf`]) {
    expect((await visitor.head(path)).status).toBe(200);
  }
  expect(await views(sessionId)).toBe(0);
  expect((await visitor.get(page)).status).toBe(200);
  expect(await views(sessionId)).toBe(1);
});

test("a hosted session opens its report once it is completed, not before", async () => {
  const { sessionId, finish, openOwn, browserSessionToken } = await hostedSession({
    personAccess: "after_completion",
    locale: "de",
  });
  expect(await reasonOf(openOwn())).toBe("NOT_FOUND");
  await finish();
  const opened = await openOwn();
  const message = { sessionId, onwardPath: "/somewhere/onward" };
  const report = await client.unary(reports.renderOwnReport, message, bearer(opened.browserSessionToken));
  expect(report.language).toBe("de");
  expect(Buffer.from(report.body).toString()).toMatch(/<a class="save" href="\/somewhere\/onward">Weiter/);
  expect(Buffer.from(report.body).toString()).toContain("Auf diesem Gerät");
  // The browser session of the pages is still none of a report.
  expect(await reasonOf(client.unary(reports.renderOwnReport, { sessionId }, bearer(browserSessionToken)))).toBe(
    "UNAUTHENTICATED",
  );
});

test("a hosted session does not offer the report after its partner revoked access, and a later link of the partner still does", async () => {
  const { sessionId, browserSessionToken, finish, openOwn } = await hostedSession({
    personAccess: "after_completion",
  });
  const offered = async () =>
    (await client.unary(rpcs.getHostedSession, { sessionId }, bearer(browserSessionToken))).personAccess;
  await partner.revokeReports(sessionId);
  expect(await offered()).toBe(PersonAccess.AFTER_COMPLETION);
  await finish();
  const opened = await openOwn();
  await partner.revokeReports(sessionId);
  expect(await offered()).toBe(PersonAccess.NONE);
  expect(await reasonOf(openOwn())).toBe("NOT_FOUND");
  const render = client.unary(reports.renderOwnReport, { sessionId }, bearer(opened.browserSessionToken));
  expect(await reasonOf(render)).toBe("UNAUTHENTICATED");
  const { render: renderByLink } = await linked(sessionId);
  expect((await renderByLink()).mediaType).toBe("text/html; charset=utf-8");
});
