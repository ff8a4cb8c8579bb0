// The REST transport: the HTTP server with all its routes, over a core.
import type { FastifyInstance, FastifyPluginAsync } from "fastify";
import type { Core } from "../kernel/calls/core.ts";
import type { ArrivingMessages } from "../limits/memory.ts";
import { disableBodyParsing } from "../transport/http/bodies.ts";
import { allowOrigins } from "../transport/http/cross-origin.ts";
import { addHealthRoutes, type HealthRoutesDeps } from "../transport/http/health-routes.ts";
import { collectMethods } from "../transport/http/method-not-allowed.ts";
import { createHttpServer, type HttpServerOptions } from "../transport/http/server.ts";
import { createExportHandlers } from "./exports/export-routes.ts";
import { addKeyRoutes } from "./hosted/key-routes.ts";
import { addOAuthRoutes } from "./identity/oauth-routes.ts";
import { addOpenApi } from "./rest/openapi-document.ts";
import { operations } from "./rest/operations.ts";
import { createOverrides } from "./rest/overrides.ts";
import { addRoute, createTranscoder } from "./rest/transcode.ts";

export interface GatewayOptions extends HttpServerOptions, HealthRoutesDeps {
  /** In this process or another. Undefined: there are only the routes of operators. */
  readonly core: Core | undefined;
  /** Arriving messages of every transport. */
  readonly bodies: ArrivingMessages;
  /** Scopes that partners can request. */
  readonly scopes: readonly string[];
  /** Origins whose pages may call REST and the rpcs from a browser. Unset: none. */
  readonly origins?: readonly string[];
  /** Adds pages about the interface. @param openApi returns the OpenAPI document, as JSON text. Unset: there are none. */
  readonly addSite?: (app: FastifyInstance, openApi: () => string) => void;
}

/** The HTTP server, not yet listening. */
export function createGateway(options: GatewayOptions): FastifyInstance {
  const app = createHttpServer(options);
  const { origins = [] } = options;
  if (origins.length > 0) allowOrigins(app, origins);
  const methodNotAllowedRoutes = collectMethods(app);
  addHealthRoutes(app, options);
  if (options.core !== undefined) app.register(createRestRoutes(options.core, options));
  app.register(methodNotAllowedRoutes);
  return app;
}

function createRestRoutes(core: Core, options: GatewayOptions): FastifyPluginAsync {
  return async (app) => {
    disableBodyParsing(app);
    const { bodies, publicUrl, scopes } = options;
    const context = { core, bodies, publicUrl };
    options.addSite?.(app, addOpenApi(app, publicUrl));
    // Exports are streams, with handlers of their own.
    const streamHandlers = createExportHandlers(context);
    const overrides = createOverrides();
    for (const operation of operations) {
      const handle = streamHandlers[operation.id] ?? createTranscoder(context, operation, overrides[operation.id]);
      addRoute(app, operation, handle, publicUrl);
    }
    addOAuthRoutes(app, { ...context, scopes });
    addKeyRoutes(app, core);
  };
}
