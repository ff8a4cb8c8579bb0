// The table of commands that call rpcs.
import type { DescMethodUnary } from "@bufbuild/protobuf";
import { Option } from "@commander-js/extra-typings";
import { eventTypes } from "../../domain/events/event-types.ts";
import { AssessmentService } from "../../gen/assessment/v1/assessment_service_pb.ts";
import { AuditService } from "../../gen/assessment/v1/audit_service_pb.ts";
import { EventService } from "../../gen/assessment/v1/event_service_pb.ts";
import { ExportService } from "../../gen/assessment/v1/export_service_pb.ts";
import { GroupService } from "../../gen/assessment/v1/group_service_pb.ts";
import { NormService } from "../../gen/assessment/v1/norm_service_pb.ts";
import { PartnerService } from "../../gen/assessment/v1/partner_service_pb.ts";
import { SandboxService } from "../../gen/assessment/v1/sandbox_service_pb.ts";
import { SessionService } from "../../gen/assessment/v1/session_service_pb.ts";
import { SubjectService } from "../../gen/assessment/v1/subject_service_pb.ts";
import { WebhookService } from "../../gen/assessment/v1/webhook_service_pb.ts";
import type { RpcRow } from "./row.ts";
import { brandPartner, exportPerson, listByPartner, printUsage, setPolicy } from "./runs.ts";

const { method: partners } = PartnerService;
const { method: sessions } = SessionService;
const { method: groups } = GroupService;
const { method: subjects } = SubjectService;
const { method: webhooks } = WebhookService;

/** The first words of the commands, by the headings of the help. */
export const headings: Readonly<Record<string, readonly string[]>> = {
  "The service:": ["serve", "migrate", "doctor", "demo"],
  "Who may call:": ["partner", "test-clock", "usage", "client"],
  "Instruments:": ["assessment", "score", "report"],
  "Sessions:": ["sessions", "groups", "subject", "retention"],
  "Events:": ["events", "webhooks"],
  "Audit:": ["audit"],
  "Upkeep:": ["norms"],
};

/** Descriptions of commands with the same first word. */
export const descriptions: Readonly<Record<string, string>> = {
  partner: "partners, and how their hosted pages look",
  "test-clock": "the clocks of test twins, which their sessions go by",
  client: "clients of partners: their credentials and scopes",
  assessment: "instruments and their versions",
  sessions: "stored sessions",
  groups: "teams, classes and cohorts of partners; their numbers are not shown",
  subject: "persons, as their partners name them",
  retention: "when sessions expire, and when they are deleted",
  events: "the log of events",
  webhooks: "endpoints of partners that events are delivered to",
  audit: "who read results and who changed what",
  norms: "how many people answer, for norms",
};

/** The error messages for `not_found`, by the first word. */
export const notFoundTexts: Readonly<Record<string, string>> = {
  client: "there is no such client; `pas client list` shows those that there are",
  assessment: "no version is published; run `pas migrate`",
  sessions: "there is no such session of that partner",
  groups: "there is no such group of that partner",
  subject: "nothing is held of such a person at that partner",
  webhooks: "there is no such endpoint of that partner; `pas webhooks list` shows those that there are",
  norms: "there is no such product or version; `pas assessment list` shows those that there are",
};

/**
 * Commands by their words and the fields of the request that they take, by their names in the proto: `mode` is the option
 * `--mode`, `group=group_id` the option `--group`, `name!` must be given, and `<session_id>` is an argument. The partner that
 * a call acts for is `--partner`; `partner?` makes it optional.
 */
export const calls: Readonly<Record<string, DescMethodUnary | RpcRow>> = {
  "partner create name! internal": partners.createPartner,
  "partner twin <partner_id>": partners.createTestTwin,
  "partner list": partners.listPartners,
  "partner brand <partner_id>": {
    about:
      "shows or changes how a partner's hosted pages and reports look: what is not named stays, an empty value removes it",
    fields:
      "name=branding.display_name logo=branding.logo_url accent=branding.accent_color " +
      "support=branding.support_text frames=branding.frame_ancestors comparison=branding.comparison",
    rpc: partners.updateBranding,
    options: [
      new Option(
        "--offer-long-form <on|off>",
        "whether the last page of a short session offers the other statements",
      ).choices(["on", "off"]),
    ],
    run: brandPartner,
  },
  "test-clock show": SandboxService.method.getTestClock,
  "test-clock set now!": SandboxService.method.setTestClock,
  "test-clock reset": {
    about: "sets the clock of a test twin back to real time",
    rpc: SandboxService.method.setTestClock,
  },
  "usage partner=partner_id from until": { rpc: partners.getUsage, run: printUsage },
  "client create partner=partner_id! name! scopes!": partners.createClient,
  "client list partner=partner_id!": partners.listClients,
  "client rotate <client_id>": partners.rotateClientSecret,
  "client disable <client_id>": partners.disableClient,
  "assessment list": AssessmentService.method.listAssessmentVersions,
  "sessions list": {
    rpc: sessions.listSessions,
    // `--version` is the option of the program, at any position.
    fields:
      "status mode external_id assessment-version=version group=group_id created_after created_before " +
      "completed_after completed_before progress last_activity_before",
  },
  "sessions cancel <session_id> erase_answers": sessions.cancelSession,
  "sessions link <session_id> expires=link_expires_at": sessions.createSessionLink,
  "groups list": groups.listGroups,
  "groups show <group_id>": groups.getGroup,
  "groups close <group_id>": groups.closeGroup,
  "subject export external_id!": {
    about: "prints all that is held of a person, as one JSON",
    rpc: ExportService.method.exportSubject,
    run: exportPerson,
  },
  "subject erase external_id!": subjects.eraseSubject,
  "subject change external_id! from to": {
    rpc: subjects.getChange,
    notFound: "there are no two such completed sessions, with answers, of such a person",
  },
  "retention show <partner_id>": partners.getSessionPolicies,
  "retention set <partner_id>": {
    about: "changes a policy of a partner: what is not named stays, `never` removes it",
    rpc: partners.updateSessionPolicy,
    fields:
      "mode=policy.mode! expire=policy.expires_after_days completed=policy.delete_completed_after_days " +
      "answers=policy.delete_answers_after_days results=policy.delete_results_after_days open=policy.delete_open_after_days",
    run: setPolicy,
  },
  "events list partner?": {
    about:
      "prints the events that are kept, one a line, the oldest first: of a partner, or of one after the other but test twins",
    rpc: EventService.method.listEvents,
    run: listByPartner,
  },
  "webhooks list partner?": {
    about:
      "prints endpoints, one a line, with their state and what waits for them: of a partner, or of each but test twins",
    rpc: webhooks.listWebhookEndpoints,
    options: [new Option("--failing", "only those that are down or disabled")],
    run: listByPartner,
  },
  "webhooks create url! types description start": {
    about: "makes an endpoint, of events of all types unless you name some; its secret is printed once",
    rpc: webhooks.createWebhookEndpoint,
    defaults: { types: eventTypes },
  },
  "webhooks test <endpoint_id>": webhooks.testWebhookEndpoint,
  "webhooks enable <endpoint_id>": {
    about: "enables an endpoint; it goes on where it stopped",
    rpc: webhooks.updateWebhookEndpoint,
    defaults: { enabled: true },
  },
  "webhooks disable <endpoint_id>": {
    about: "disables an endpoint; it keeps its place",
    rpc: webhooks.updateWebhookEndpoint,
    defaults: { enabled: false },
  },
  "webhooks rotate <endpoint_id>": webhooks.rotateWebhookSecret,
  "webhooks replay <endpoint_id> after until": webhooks.replayEvents,
  "webhooks attempts <endpoint_id> outcome": webhooks.listWebhookAttempts,
  "webhooks parked <endpoint_id> state": webhooks.listParkedEvents,
  "webhooks redeliver <endpoint_id> <event_ids>": webhooks.redeliverEvents,
  "audit export from until": AuditService.method.listAuditRecords,
  "norms show language assessment-version=version form": {
    about: "prints the norms of a partner's own people and of all partners",
    rpc: NormService.method.getNorms,
  },
};
