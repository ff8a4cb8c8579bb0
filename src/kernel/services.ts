// The services of the interface, by their tags in the OpenAPI document and in its order. A new one is added here; then the
// process does not compile before it has an implementation.
import { AssessmentService } from "../gen/assessment/v1/assessment_service_pb.ts";
import { AuditService } from "../gen/assessment/v1/audit_service_pb.ts";
import { EventService } from "../gen/assessment/v1/event_service_pb.ts";
import { ExportService } from "../gen/assessment/v1/export_service_pb.ts";
import { GroupService } from "../gen/assessment/v1/group_service_pb.ts";
import { HostedService } from "../gen/assessment/v1/hosted_service_pb.ts";
import { NormService } from "../gen/assessment/v1/norm_service_pb.ts";
import { PartnerService } from "../gen/assessment/v1/partner_service_pb.ts";
import { ReportService } from "../gen/assessment/v1/report_service_pb.ts";
import { SandboxService } from "../gen/assessment/v1/sandbox_service_pb.ts";
import { SessionService } from "../gen/assessment/v1/session_service_pb.ts";
import { SubjectService } from "../gen/assessment/v1/subject_service_pb.ts";
import { TokenService } from "../gen/assessment/v1/token_service_pb.ts";
import { WebhookService } from "../gen/assessment/v1/webhook_service_pb.ts";

export const servicesByTag = {
  Sessions: SessionService,
  Subjects: SubjectService,
  Norms: NormService,
  Groups: GroupService,
  Reports: ReportService,
  Assessments: AssessmentService,
  Events: EventService,
  Webhooks: WebhookService,
  Audit: AuditService,
  Exports: ExportService,
  Sandbox: SandboxService,
  Tokens: TokenService,
  Partners: PartnerService,
  Hosted: HostedService,
};

export type ServicesByTag = typeof servicesByTag;

/** The services that the transports serve. */
export const services = Object.values(servicesByTag);
