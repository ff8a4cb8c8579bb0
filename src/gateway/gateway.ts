// The REST door: the HTTP server with all of its routes over a transport, and nothing deeper.
import type { Transport } from "@connectrpc/connect";
import type { FastifyInstance } from "fastify";
import { AssessmentJsonCache } from "./assessment-json.ts";
import { Caller } from "./caller.ts";
import { createHttpServer, type HttpServerOptions } from "./http-server.ts";
import { watchMethods } from "./method-not-allowed.ts";
import { addAssessmentRoutes } from "./routes/assessments.ts";
import { addOAuthRoutes } from "./routes/oauth.ts";
import { addOperationRoutes, type OperationRoutesDeps } from "./routes/operations.ts";
import { addSessionRoutes } from "./routes/sessions.ts";
import { addSubjectRoutes } from "./routes/subjects.ts";

export interface GatewayOptions extends HttpServerOptions, OperationRoutesDeps {
  /** The pipeline, in this process or another. Undefined: only the operators' routes. */
  readonly transport: Transport | undefined;
  /** Scopes that partners can ask tokens for. */
  readonly scopes: readonly string[];
}

/** The HTTP server, not yet listening. */
export function createGateway(options: GatewayOptions): FastifyInstance {
  const app = createHttpServer(options);
  const answerOtherMethods = watchMethods(app);
  addOperationRoutes(app, options);
  if (options.transport !== undefined) {
    const caller = new Caller(options.transport);
    const assessments = new AssessmentJsonCache();
    addSessionRoutes(app, { caller, assessments });
    addSubjectRoutes(app, caller);
    addAssessmentRoutes(app, { caller, assessments });
    addOAuthRoutes(app, { caller, publicUrl: options.publicUrl, scopes: options.scopes });
  }
  app.register(answerOtherMethods);
  return app;
}
