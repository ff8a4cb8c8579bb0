// The small step after a report, chosen by a person in haste: every choice is stored while there are results, and few of them
// become events.
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { ReportService } from "../../src/gen/assessment/v1/report_service_pb.ts";
import { Visitor } from "../support/browser/visitor.ts";
import { countOf } from "../support/databases/stores.ts";
import { bearer } from "../support/transports/grpc-client.ts";
import { peopleOfFile } from "./service-with-people.ts";

const { getIntention, setOwnIntention } = ReportService.method;

const { app, partner, client, openReport } = await peopleOfFile();

/** Runs all tasks in their order, some at a time. */
async function inTurns(atOnce: number, tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const rest = [...tasks];
  const worker = async () => {
    for (let task = rest.shift(); task !== undefined; task = rest.shift()) await task();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

test("none of 1,195 steps of one session, 40 at a time, is a fault; the last one stays, and two events stand for them", async () => {
  const sessionId = await partner.createScored();
  const { browserSessionToken } = await openReport(sessionId);
  const set = (step: string) => client.unary(setOwnIntention, { sessionId, step }, bearer(browserSessionToken));
  const codes: Code[] = [];
  const setInHaste = (step: string) => set(step).catch((error: unknown) => codes.push(ConnectError.from(error).code));
  await inTurns(
    40,
    Array.from({ length: 1_194 }, (_, index) => () => setInHaste(`Step ${index}`)),
  );
  // Too many at a time for this machine.
  expect(codes.filter((code) => code !== Code.Unavailable)).toEqual([]);
  await set("The last step");
  expect(
    (await client.unary(getIntention, { product: "values-bridge", sessionId }, bearer(partner.token))).intention?.step,
  ).toBe("The last step");

  const id = Buffer.from(sessionId.replaceAll("-", ""), "hex");
  const { connection } = app.database;
  const published = () => countOf(connection, "SELECT COUNT(*) FROM events WHERE resource_id = ? AND type = 3", [id]);
  await expect.poll(published).toBe(1);
  // The first one was announced at once. Another one waits, for all that came after it.
  const waiting = `SELECT COUNT(*) FROM sessions WHERE id = ? AND unpublished LIKE '[3,2,%' AND LENGTH(unpublished) < 50
    AND unpublished_since BETWEEN NOW(3) + INTERVAL 1 MINUTE AND NOW(3) + INTERVAL 10 MINUTE`;
  expect(await countOf(connection, waiting, [id])).toBe(1);
  await connection.query("UPDATE sessions SET unpublished_since = NOW(3) WHERE id = ?", [id]);
  await expect.poll(published).toBe(2);
  expect(await countOf(connection, "SELECT COUNT(*) FROM sessions WHERE unpublished <> ''")).toBe(0);
});

test("a step that a person sends from their open page once the results are deleted is refused, not stored and not announced", async () => {
  const sessionId = await partner.createScored();
  const person = new Visitor(app.httpUrl);
  const page = await person.open(await partner.shareReport(sessionId));
  const csrfToken = await person.csrfToken(page);
  await partner.deleteResults(sessionId);
  expect((await person.post(`${page}/step`, { csrfToken, own: "Call one person" })).status).toBe(404);
  const id = Buffer.from(sessionId.replaceAll("-", ""), "hex");
  const { connection } = app.database;
  expect(await countOf(connection, "SELECT COUNT(*) FROM report_intentions WHERE session_id = ?", [id])).toBe(0);
  expect(await countOf(connection, "SELECT intentions FROM sessions WHERE id = ?", [id])).toBe(0);
});
