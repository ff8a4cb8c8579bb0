// A client of the service: calls with their types, a token kept and renewed, and retries that repeat nothing twice.
import { setTimeout } from "node:timers/promises";
import { type Client, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { AssessmentService } from "../gen/assessment/v1/assessment_service_pb.ts";
import { AuditService } from "../gen/assessment/v1/audit_service_pb.ts";
import { EventService } from "../gen/assessment/v1/event_service_pb.ts";
import { ExportService } from "../gen/assessment/v1/export_service_pb.ts";
import { GroupService } from "../gen/assessment/v1/group_service_pb.ts";
import { NormService } from "../gen/assessment/v1/norm_service_pb.ts";
import { ReportService } from "../gen/assessment/v1/report_service_pb.ts";
import { SandboxService } from "../gen/assessment/v1/sandbox_service_pb.ts";
import { SessionService } from "../gen/assessment/v1/session_service_pb.ts";
import { SubjectService } from "../gen/assessment/v1/subject_service_pb.ts";
import { TokenService } from "../gen/assessment/v1/token_service_pb.ts";
import { WebhookService } from "../gen/assessment/v1/webhook_service_pb.ts";
import { addIdempotencyKeys, type Circumstances, repeatCalls } from "./retries.ts";
import { sendTokens } from "./tokens.ts";

const services = {
  assessments: AssessmentService,
  audit: AuditService,
  events: EventService,
  exports: ExportService,
  groups: GroupService,
  norms: NormService,
  reports: ReportService,
  sandbox: SandboxService,
  sessions: SessionService,
  subjects: SubjectService,
  webhooks: WebhookService,
} as const;

export type PartnerClient = { readonly [name in keyof typeof services]: Client<(typeof services)[name]> };

export interface PartnerClientOptions extends Partial<Circumstances> {
  /** Where the service is, for example `https://assessments.example.com`. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** How long a call takes at most with all its attempts, in milliseconds; 30,000 unless given. `timeoutMs` of a call goes first. */
  readonly timeoutMs?: number;
  /** How often a call is sent at most; 4 unless given. */
  readonly maxAttempts?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * A client for each service of a partner. Calls fail with `ConnectError`, whose details have the reason as `ErrorInfo` of
 * `partner-assessment-client/gen/google/rpc/error_details_pb`.
 */
export function createPartnerClient(options: PartnerClientOptions): PartnerClient {
  const { baseUrl, clientId, clientSecret, timeoutMs = 30_000, maxAttempts = 4, fetch = globalThis.fetch } = options;
  const { now = Date.now, random = Math.random, makeKey = () => crypto.randomUUID(), wait = pause } = options;
  const repeat = repeatCalls(maxAttempts, { now, random, wait });
  const common = { baseUrl, fetch, useBinaryFormat: true, defaultTimeoutMs: timeoutMs };
  const tokens = createClient(TokenService, createConnectTransport(common));
  const sendToken = sendTokens(() => tokens.issueToken({ clientId, clientSecret }), now);
  const transport = createConnectTransport({
    ...common,
    interceptors: [addIdempotencyKeys(makeKey), repeat, sendToken],
  });
  return Object.fromEntries(
    Object.entries(services).map(([name, service]) => [name, createClient(service, transport)]),
  ) as PartnerClient;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal });
}
