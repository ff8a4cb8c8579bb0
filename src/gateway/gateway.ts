// The REST door: the HTTP server with all of its routes over a core, and nothing deeper.
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import type { BodyBudget } from "../contract/body-budget.ts";
import type { Core } from "../contract/core.ts";
import type { Deprecations } from "../contract/rpc-options/deprecations.ts";
import { addHealthRoutes, type HealthRoutesDeps } from "../http/health-routes.ts";
import { watchMethods } from "../http/method-not-allowed.ts";
import { createHttpServer, type HttpServerOptions } from "../http/server.ts";
import type { ApiDocument } from "../site/reference/api-document.ts";
import { addSite } from "../site/site.ts";
import { CoreClient } from "./core/client.ts";
import { AssessmentJsonCache } from "./json/assessment.ts";
import { addOpenApi } from "./openapi/document.ts";
import { addAssessmentRoutes } from "./routes/assessments.ts";
import { addAuditRoutes } from "./routes/audit.ts";
import { addEventRoutes } from "./routes/events.ts";
import { addKeyRoutes } from "./routes/keys.ts";
import { addNormRoutes } from "./routes/norms.ts";
import { addOAuthRoutes } from "./routes/oauth.ts";
import { announceDeprecations } from "./routes/parts/announced-deprecations.ts";
import { addSandboxRoutes } from "./routes/sandbox.ts";
import { addExportRoutes } from "./routes/sessions/exports.ts";
import { addReportRoutes } from "./routes/sessions/reports.ts";
import { addSessionLifecycleRoutes } from "./routes/sessions/session-lifecycle.ts";
import { addSessionListRoute } from "./routes/sessions/session-lists.ts";
import { addSessionRoutes } from "./routes/sessions/sessions.ts";
import { addSubjectRoutes } from "./routes/sessions/subjects.ts";
import { addWebhookRoutes } from "./routes/webhooks.ts";

export interface GatewayOptions extends HttpServerOptions, HealthRoutesDeps {
  /** In this process or another. Undefined: only the operators' routes. */
  readonly core: Core | undefined;
  /** Of all bodies that are arriving, over every door. */
  readonly budget: BodyBudget;
  /** Scopes that partners can ask tokens for, with what they allow. */
  readonly scopes: Readonly<Record<string, string>>;
  /** Rpcs that callers should leave. Unset: none. */
  readonly deprecations?: Deprecations;
}

/** The HTTP server, not yet listening. */
export function createGateway(options: GatewayOptions): FastifyInstance {
  const app = createHttpServer(options);
  const answerOtherMethods = watchMethods(app);
  addHealthRoutes(app, options);
  if (options.core === undefined) addSite(app, undefined);
  else app.register(restRoutes(options.core, options));
  app.register(answerOtherMethods);
  return app;
}

function restRoutes(core: Core, options: GatewayOptions): FastifyPluginAsync {
  return async (app) => {
    const client = new CoreClient(core, options.budget);
    const assessments = new AssessmentJsonCache();
    if (options.deprecations !== undefined) announceDeprecations(app, options.deprecations, options.publicUrl);
    const document = await addOpenApi(app, options);
    addSessionRoutes(app, { client, assessments, publicUrl: options.publicUrl });
    addSessionListRoute(app, client);
    addSessionLifecycleRoutes(app, client);
    addSubjectRoutes(app, client);
    addNormRoutes(app, client);
    addReportRoutes(app, client);
    addAssessmentRoutes(app, { client, assessments });
    addEventRoutes(app, client);
    addWebhookRoutes(app, client);
    addAuditRoutes(app, client);
    addExportRoutes(app, client);
    addSandboxRoutes(app, client);
    addOAuthRoutes(app, { client, publicUrl: options.publicUrl, scopes: Object.keys(options.scopes) });
    addKeyRoutes(app, client);
    addSite(app, () => document() as unknown as ApiDocument);
  };
}
