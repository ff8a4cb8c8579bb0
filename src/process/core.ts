// The core: from the database to the pipeline. Every transport, and every command, is built on it.

import type { Config } from "../config.ts";
import type { Core } from "../kernel/calls/core.ts";
import { type MonotonicClock, monotonic } from "../kernel/environment.ts";
import { details } from "../kernel/errors/details.ts";
import { Refusal } from "../kernel/errors/refusal.ts";
import { type ServicesByTag, servicesByTag } from "../kernel/services.ts";
import type { CallEvent, CallTracing } from "../kernel/telemetry.ts";
import { RateLimit } from "../limits/rate-limit.ts";
import { runAudited } from "../pipeline/audit.ts";
import {
  type AuthenticateDeps,
  authenticate,
  authenticateOperator,
  resolveGateway,
} from "../pipeline/auth/authenticate.ts";
import { TokenResolver } from "../pipeline/auth/token.ts";
import { type CallSlots, type ServiceImpl, toHandlers } from "../pipeline/call.ts";
import { requireFreeSlot, takeSlot } from "../pipeline/limits/slots.ts";
import { UnauthenticatedLimit } from "../pipeline/limits/unauthenticated-limit.ts";
import {
  createPipeline,
  type PipelineOptions,
  requireOwnSession,
  startDeadline,
  validate,
} from "../pipeline/pipeline.ts";
import type { ReportRenderer } from "../products/product.ts";
import { createAssessmentService } from "../services/assessments/assessment-service.ts";
import { createAuditService } from "../services/audit/audit-service.ts";
import type { CallDependencies, Dependencies } from "../services/dependencies.ts";
import { createEventService } from "../services/events/event-service.ts";
import { createExportService } from "../services/exports/export-service.ts";
import { createGroupService } from "../services/groups/group-service.ts";
import { CompletionSigner } from "../services/hosted/completion-signing.ts";
import { createHostedService } from "../services/hosted/hosted-service.ts";
import { createPartnerService } from "../services/identity/partner-service.ts";
import { createTokenService } from "../services/identity/token-service.ts";
import { createNormService } from "../services/norms/norms.ts";
import { createReportService } from "../services/reports/report-service.ts";
import { createSandboxService } from "../services/sandbox/sandbox-service.ts";
import { setSessionTime } from "../services/sandbox/test-clock.ts";
import { createSessionService } from "../services/sessions/session-service.ts";
import { createSubjectService } from "../services/subjects/subject-service.ts";
import { createWebhookService } from "../services/webhooks/webhook-service.ts";
import type { WebhookWiring } from "./webhook-wiring.ts";

export interface CoreOptions {
  readonly dependencies: Dependencies;
  readonly callSlots: CallSlots;
  readonly webhooks: WebhookWiring;
  readonly config: Config;
  /** Address of the HTTP port as callers see it. */
  readonly publicUrl: () => string;
  /** Address of the pages for people; by default the same. Empty: unknown. */
  readonly pagesUrl?: () => string;
  readonly observer: (event: CallEvent) => void;
  /** Undefined: calls are not recorded. */
  readonly tracing?: CallTracing | undefined;
  readonly renderer: ReportRenderer;
  /** For commands: every call is an operator's, with a longer time limit. */
  readonly isOperators?: boolean;
}

/** The implementation of each service, over what that names. */
const implementations: {
  readonly [Tag in keyof ServicesByTag]: (deps: CallDependencies) => ServiceImpl<ServicesByTag[Tag]>;
} = {
  Sessions: createSessionService,
  Subjects: createSubjectService,
  Norms: createNormService,
  Groups: createGroupService,
  Reports: createReportService,
  Assessments: createAssessmentService,
  Events: createEventService,
  Webhooks: createWebhookService,
  Audit: createAuditService,
  Exports: createExportService,
  Sandbox: createSandboxService,
  Tokens: createTokenService,
  Partners: createPartnerService,
  Hosted: createHostedService,
};

function createHandlers<Tag extends keyof ServicesByTag>(tag: Tag, deps: CallDependencies) {
  return toHandlers(servicesByTag[tag], implementations[tag](deps));
}

/** The pipeline: interceptors in order, then the services over the stores. */
export function createCore(options: CoreOptions): Core {
  const { dependencies, callSlots, webhooks, config, publicUrl, observer, tracing, renderer } = options;
  const { pagesUrl = publicUrl, isOperators = false } = options;
  const deps = {
    ...dependencies,
    ...webhooks,
    callSlots,
    renderer,
    issuer: publicUrl,
    pagesUrl: () => {
      const url = pagesUrl();
      if (url === "") throw new Refusal("hosted_off", details.hosted_off);
      return url;
    },
    resolver: new TokenResolver(dependencies.identities, dependencies),
    limits: createRateLimits(config, monotonic),
    signer: new CompletionSigner(dependencies, config.SIGNING_KEY),
  };
  const tags = Object.keys(implementations) as (keyof ServicesByTag)[];
  const handlers = new Map(tags.flatMap((tag) => [...createHandlers(tag, deps)]));
  const interceptors = isOperators ? createOperatorInterceptors(deps) : createPipelineInterceptors(deps);
  const audited = runAudited(handlers, dependencies.trail);
  return createPipeline({ handlers: audited, ...interceptors, observer, tracing, monotonic });
}

type Interceptors = Pick<PipelineOptions, "beforeMessage" | "afterMessage">;
type InterceptorDeps = AuthenticateDeps & Dependencies;

/** The interceptors of every call. Their order is the order of the checks in the interface. */
function createPipelineInterceptors(deps: InterceptorDeps): Interceptors {
  return {
    beforeMessage: [resolveGateway(deps), authenticate(deps), requireFreeSlot(deps.callSlots)],
    afterMessage: [startDeadline(deps.monotonic), requireOwnSession, validate(), takeSlot(deps), setSessionTime(deps)],
  };
}

/** Time limit of a command's call. */
export const operatorTimeoutMs = 10 * 60_000;

/** The interceptors of operators' calls: an operator is one caller, and holds no token. */
function createOperatorInterceptors(deps: InterceptorDeps): Interceptors {
  return {
    beforeMessage: [authenticateOperator(deps)],
    afterMessage: [startDeadline(deps.monotonic, operatorTimeoutMs), validate(), setSessionTime(deps)],
  };
}

/** The rate limit of a partner, as a multiple of that of a client. */
const partnerShare = 2;

function createRateLimits(config: Config, now: MonotonicClock) {
  const { RATE_LIMIT_PER_MINUTE: requestsPerMinute, RATE_LIMIT_BURST: burst } = config;
  const perMinute = (requests: number) => ({ requests, seconds: 60 });
  const clients =
    requestsPerMinute === 0 ? perMinute(0) : { requests: burst, seconds: (60 * burst) / requestsPerMinute };
  return {
    partners: new RateLimit({ ...clients, requests: partnerShare * clients.requests }, now),
    clients: new RateLimit(clients, now),
    unauthenticatedCallers: new UnauthenticatedLimit(perMinute(config.ADDRESS_RATE_LIMIT_PER_MINUTE), now),
    tokenRequests: new RateLimit(perMinute(config.TOKEN_RATE_LIMIT_PER_MINUTE), now),
    hostedSessions: new RateLimit(perMinute(config.HOSTED_RATE_LIMIT_PER_MINUTE), now),
  };
}
