// The circle on the last hosted page: only where the partner lets the person see their results, from one process as through a
// gateway of its own, and never in the way of the page.
import { describe, expect, test } from "vitest";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { Visitor } from "../support/browser/visitor.ts";
import { appOfFile, gatewayOfFile } from "../support/of-file.ts";

const app = await appOfFile();
const [gateway, partner] = await Promise.all([gatewayOfFile(app), addHostedPartner(app)]);

const circle =
  /<img class="circle" src="data:image\/svg\+xml,([^"]+)" width="240" height="240" alt="Your circle of values">/;

/** Somebody at the end of a session. */
async function atTheEnd(origin: string, personAccess: string) {
  const { sessionId, hostedUrl } = await partner.createHosted({ personAccess });
  await partner.record(sessionId, 1, 152);
  await partner.complete(sessionId, new Map());
  const visitor = new Visitor(origin);
  return { sessionId, visitor, page: await visitor.open(hostedUrl) };
}

describe.each([
  ["one process", app.httpUrl],
  ["a gateway of its own", gateway.httpUrl],
])("from %s", (_way, origin) => {
  test("the last page shows the circle in light and dark colours, with one browser session, which is no view of the report", async () => {
    const { sessionId, visitor, page } = await atTheEnd(origin, "after_completion");
    const { status, text, headers } = await visitor.get(page);
    const drawing = decodeURIComponent(circle.exec(text)?.[1] ?? "");
    expect([status, (drawing.match(/<path class="m-halo"/g) ?? []).length]).toEqual([200, 19]);
    expect(drawing).toContain("@media screen and (prefers-color-scheme:dark){");
    expect(headers.get("content-security-policy")).toContain("img-src 'self' data:;");
    expect(headers.getSetCookie().map((each) => each.split("=")[0])).toEqual([`pas-report-${sessionId}`]);
    const again = await visitor.get(page);
    expect([circle.test(again.text), again.headers.getSetCookie()]).toEqual([true, []]);
    const [rows] = await app.database.connection.query(
      "SELECT (SELECT COUNT(*) FROM report_browser_sessions WHERE session_id = ?) AS opened, (SELECT COUNT(*) FROM report_views WHERE session_id = ?) AS viewed",
      Array(2).fill(Buffer.from(sessionId.replaceAll("-", ""), "hex")),
    );
    expect(rows).toEqual([{ opened: 1, viewed: 0 }]);
  });

  test("the last page shows the circle also in a browser whose browser session of the report is over", async () => {
    const { sessionId, visitor, page } = await atTheEnd(origin, "after_completion");
    await visitor.open(await partner.shareReport(sessionId));
    const cookie = visitor.cookies.get(`pas-report-${sessionId}`);
    // More than a session may have: the link that opened it ends.
    for (let count = 0; count < 10; count += 1) await partner.shareReport(sessionId);
    for (const isOpened of [true, false]) {
      const { text, headers } = await visitor.get(page);
      expect([circle.test(text), headers.getSetCookie().length === 1]).toEqual([true, isOpened]);
    }
    expect(visitor.cookies.get(`pas-report-${sessionId}`)).not.toBe(cookie);
  });

  test("the last page shows no circle where the partner shows no results, and opens nothing", async () => {
    const { visitor, page } = await atTheEnd(origin, "none");
    const { status, text, headers } = await visitor.get(page);
    expect([status, text.includes('class="circle"'), headers.getSetCookie()]).toEqual([200, false, []]);
    expect(headers.get("content-security-policy")).toContain("img-src 'self';");
  });

  test.each([
    ["its answers are deleted", (sessionId: string) => partner.deleteAnswers(sessionId), true],
    ["the partner ends all access to the report", (sessionId: string) => partner.revokeReports(sessionId), false],
  ])("the last page is there without a circle once %s", async (_what, end, offersReport) => {
    const { sessionId, visitor, page } = await atTheEnd(origin, "after_completion");
    await visitor.get(page);
    await end(sessionId);
    const { status, text } = await visitor.get(page);
    expect([status, text.includes('class="circle"'), text.includes(`${page}/report`)]).toEqual([
      200,
      false,
      offersReport,
    ]);
    expect(text).toContain("All done. Thank you!");
  });
});
