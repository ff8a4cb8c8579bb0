// Which calls are recorded in the audit log: a decision on every rpc.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { auditRule, operatorActions } from "../../src/kernel/rpc-options.ts";
import { services } from "../../src/kernel/services.ts";

const methods = services.flatMap((service) => service.methods);
/** Rpcs by action; those that are recorded before they begin have an exclamation mark. */
const recorded = Object.fromEntries(
  methods.flatMap((method) => {
    const rule = auditRule(method);
    return rule === undefined ? [] : [[method.name, `${rule.action}${rule.recordBefore ? "!" : ""}`]];
  }),
);

test("rpcs that show results are recorded, and rpcs that change something are recorded before they begin", () => {
  expect(recorded).toEqual({
    CompleteSession: "session.complete",
    CancelSession: "session.cancel!",
    ReopenSession: "session.reopen!",
    CreateSessionLink: "session_link.create!",
    GetSessionResults: "results.read",
    GetReport: "report.read",
    RenderReport: "report.read",
    CreateReportLink: "report_link.create!",
    RevokeReportLinks: "report_link.revoke!",
    SetIntention: "intention.set!",
    GetIntention: "intention.read",
    GetLatestResults: "results.read",
    GetChange: "change.read",
    ListSubjectSessions: "history.read",
    EraseSubject: "subject.erase!",
    PublishAssessment: "assessment.publish!",
    CreatePartner: "partner.create!",
    CreateTestTwin: "partner.create_test_twin!",
    SetTestClock: "test_clock.set!",
    CreateClient: "client.create!",
    RotateClientSecret: "client.rotate!",
    DisableClient: "client.disable!",
    UpdateSessionPolicy: "session_policy.update!",
    UpdateBranding: "branding.update!",
    CreateWebhookEndpoint: "webhook.create!",
    UpdateWebhookEndpoint: "webhook.update!",
    DeleteWebhookEndpoint: "webhook.delete!",
    RotateWebhookSecret: "webhook.rotate!",
    TestWebhookEndpoint: "webhook.test!",
    RedeliverEvents: "webhook.redeliver!",
    ReplayEvents: "webhook.replay!",
    CancelReplay: "webhook.cancel_replay!",
    ExportSessions: "sessions.export",
    ExportSubject: "subject.export",
    CreateGroup: "group.create!",
    CloseGroup: "group.close!",
    CreateJoinCode: "join_code.create!",
    RevokeJoinCode: "join_code.revoke!",
    GetGroupNumbers: "group.read_numbers",
    GetTeamReport: "group.read_report",
    RenderTeamReport: "group.read_report",
  });
});

test("the page of the audit log names every action", () => {
  const page = readFileSync("docs/audit.md", "utf8");
  const actions = [...Object.values(recorded).map((action) => action.replace("!", "")), ...operatorActions];
  const isNamed = (name: string) => page.includes(`\`${name}\``) || page.includes(`\`${name.split(".")[0]}.…\``);
  expect(actions.filter((action) => !isNamed(action))).toEqual([]);
});
