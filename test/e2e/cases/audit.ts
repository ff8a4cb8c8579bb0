// Cases of the audit log: who read results, who changed what, and who may know.
import { expect } from "vitest";
import type { As, BodyOf, InputOf, Transport } from "../../support/transports/transports.ts";
import { bodyOf, type Cases, completedSession, expectRefused, newPartner, newSession, uniqueId } from "./case.ts";

type AuditInput = InputOf<"listAuditRecords">;
type AuditRecords = BodyOf<"listAuditRecords">["records"];

async function recordsOf(transport: Transport, as: As, input: AuditInput = {}): Promise<AuditRecords> {
  return bodyOf(await transport.listAuditRecords(as, input)).records;
}

const briefly = (records: AuditRecords) =>
  records.map(({ action, outcome, sessionId }) => [action, outcome, sessionId]);

export const auditCases: Cases = {
  "every read of results, an explanation, a report or a change is in the audit log, newest first": async (given) => {
    const { world, transport, as, clientId } = await newPartner(given);
    const externalId = uniqueId("person");
    const one = await completedSession(world, { subject: { externalId } });
    const other = await completedSession(world, { subject: { externalId } });
    bodyOf(await transport.getSessionResults(as, one.sessionId, { explain: true }));
    bodyOf(await transport.getLatestResults(as, externalId));
    bodyOf(await transport.getChange(as, externalId));
    bodyOf(await transport.listSubjectSessions(as, externalId));
    bodyOf(await transport.getReport(as, { externalId }));
    bodyOf(await transport.renderReport(as, { sessionId: one.sessionId }, { format: "svg" }));
    const records = await recordsOf(transport, as);
    expect(briefly(records.toReversed())).toEqual([
      ["session.complete", "ok", one.sessionId],
      ["session.complete", "ok", other.sessionId],
      ["results.read", "ok", one.sessionId],
      ["results.read", "ok", other.sessionId],
      ["change.read", "ok", one.sessionId],
      ["change.read", "ok", other.sessionId],
      ["history.read", "ok", other.sessionId],
      ["history.read", "ok", one.sessionId],
      ["report.read", "ok", other.sessionId],
      ["report.read", "ok", one.sessionId],
    ]);
    for (const record of records) {
      expect(record).toMatchObject({ clientId, targetId: null });
      expect(record.requestId).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      expect(record.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(record.hash).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(briefly(await recordsOf(transport, as, { sessionId: one.sessionId }))).toEqual(
      briefly(records.filter(({ sessionId }) => sessionId === one.sessionId)),
    );
  },
  "a change is recorded before it begins and when it has ended, and an erased person is not named": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const externalId = uniqueId("person");
    const { sessionId } = await completedSession(world, { subject: { externalId } });
    bodyOf(await transport.createReportLink(as, sessionId));
    bodyOf(await transport.eraseSubject(as, externalId));
    const records = await recordsOf(transport, as);
    expect(briefly(records.toReversed())).toEqual([
      ["session.complete", "ok", sessionId],
      ["report_link.create", "begun", sessionId],
      ["report_link.create", "ok", sessionId],
      ["subject.erase", "begun", null],
      ["subject.erase", "ok", null],
    ]);
    expect(JSON.stringify(records)).not.toContain(externalId);
  },
  "a refused call is recorded with the code of the refusal": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const { sessionId } = await newSession(world);
    expectRefused(await transport.getSessionResults(as, sessionId), "not_found");
    // A refusal waits for no record, but the record after it is behind it.
    bodyOf(await transport.completeSession(as, (await completedSession(world)).sessionId));
    expect(briefly(await recordsOf(transport, as))).toContainEqual(["results.read", "not_found", sessionId]);
  },
  "a partner sees its own records only, and of another's session none": async (given) => {
    const one = await newPartner(given);
    const other = await newPartner(given);
    const { transport } = given;
    const { sessionId } = await completedSession(one.world);
    expectRefused(await transport.getSessionResults(other.as, sessionId), "not_found");
    bodyOf(await transport.getSessionResults(one.as, sessionId));
    bodyOf(await completedSession(other.world).then(() => transport.listAuditRecords(other.as, {})));
    const ofOther = await recordsOf(transport, other.as);
    expect(ofOther.map(({ clientId }) => clientId)).toEqual(ofOther.map(() => other.clientId));
    expect(briefly(await recordsOf(transport, other.as, { sessionId }))).toEqual([
      ["results.read", "not_found", sessionId],
    ]);
    expect((await recordsOf(transport, one.as)).map(({ clientId }) => clientId)).toEqual([one.clientId, one.clientId]);
    expect(await recordsOf(transport, one.as, { sessionId: crypto.randomUUID() })).toEqual([]);
  },
  "a range of time includes its first moment, and not its last": async (given) => {
    const { world, transport, as } = await newPartner(given);
    const { sessionId } = await completedSession(world);
    bodyOf(await transport.getSessionResults(as, sessionId));
    const [last] = await recordsOf(transport, as);
    const at = last?.at ?? "";
    const isBefore = (each: AuditRecords[number]) => each.at < at;
    const all = await recordsOf(transport, as);
    expect(await recordsOf(transport, as, { from: at })).toEqual(all.filter((each) => !isBefore(each)));
    expect(await recordsOf(transport, as, { until: at })).toEqual(all.filter(isBefore));
    const later = new Date(Date.parse(at) + 1).toISOString();
    expect(await recordsOf(transport, as, { from: "2020-01-01T00:00:00+02:00", until: later })).toEqual(all);
    expect(await recordsOf(transport, as, { until: "9999-12-31T23:59:59.999Z" })).toEqual(all);
    // A cursor of a list that went further does not lead behind the end.
    const { next: after } = bodyOf(await transport.listAuditRecords(as, { limit: 1 }));
    if (after === null) throw new Error("one page");
    expect(await recordsOf(transport, as, { after })).toEqual(all.slice(1));
    expect(await recordsOf(transport, as, { after, until: all.at(-1)?.at ?? "" })).toEqual([]);
  },
  "violations of a query are named, and nothing is read": async ({ transport, alice }) => {
    const expectRefusal = async (input: AuditInput, code: string) =>
      expectRefused(await transport.listAuditRecords(alice, input), "invalid_request", [{ pointer: "#", code }]);
    await expectRefusal({ after: "elsewhere" }, "invalid_format");
    await expectRefusal({ after: "_".repeat(43) }, "invalid_format");
    await expectRefusal({ limit: 501 }, "out_of_range");
    await expectRefusal({ sessionId: "none" }, "invalid_format");
  },
};
