// The routes that end a session before its completion, and open it again.
import type { FastifyInstance } from "fastify";
import {
  CancelSessionRequestSchema,
  ReopenSessionRequestSchema,
  SessionSchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { operations } from "../openapi/operations.ts";
import { BodyReader } from "../shared/body.ts";
import type { CoreClient } from "../shared/client.ts";
import { sessionOf } from "../shared/path-params.ts";
import { present } from "../shared/present.ts";
import { addRoute } from "../shared/route.ts";

const cancelBody = new BodyReader(CancelSessionRequestSchema);
const reopenBody = new BodyReader(ReopenSessionRequestSchema);
const statusJson = toJson(SessionSchema);

/** Adds the routes. */
export function addSessionLifecycleRoutes(app: FastifyInstance, client: CoreClient): void {
  const { cancelSession, reopenSession } = operations;

  addRoute(app, cancelSession, async (request, reply) => {
    const { session } = await client.call(cancelSession.rpc, request, reply, async (limits) => {
      const address = sessionOf(request);
      return { ...(await cancelBody.readOptional(request, limits, client.budget)), ...address };
    });
    return statusJson(present(session));
  });

  addRoute(app, reopenSession, async (request, reply) => {
    const { session } = await client.call(reopenSession.rpc, request, reply, async (limits) => {
      const address = sessionOf(request);
      return { ...(await reopenBody.readOptional(request, limits, client.budget)), ...address };
    });
    return statusJson(present(session));
  });
}
