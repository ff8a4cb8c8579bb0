// The routes that end a session before its completion, and open it again.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyInstance } from "fastify";
import { operations } from "../openapi/operations.ts";
import { BodyReader, timeIn } from "../shared/body.ts";
import type { CoreClient } from "../shared/client.ts";
import { sessionOf } from "../shared/path-params.ts";
import { addRoute } from "../shared/route.ts";
import { CancelSessionRequest, ReopenSessionRequest } from "./request-schemas.ts";
import { toStatus } from "./session-json.ts";

const cancelBody = new BodyReader(CancelSessionRequest);
const reopenBody = new BodyReader(ReopenSessionRequest);

/** Adds the routes. */
export function addSessionLifecycleRoutes(app: FastifyInstance, client: CoreClient): void {
  const { cancelSession, reopenSession } = operations;

  addRoute(app, cancelSession, async (request, reply) => {
    const { session } = await client.call(cancelSession.rpc, request, reply, async (limits) => {
      const address = sessionOf(request);
      const { eraseAnswers = false } = (await cancelBody.readOptional(request, limits, client.budget)) ?? {};
      return { ...address, eraseAnswers };
    });
    return toStatus(session);
  });

  addRoute(app, reopenSession, async (request, reply) => {
    const { session } = await client.call(reopenSession.rpc, request, reply, async (limits) => {
      const address = sessionOf(request);
      const { expiresAt } = (await reopenBody.readOptional(request, limits, client.budget)) ?? {};
      if (expiresAt === undefined) return address;
      return { ...address, expiresAt: timestampFromDate(timeIn(expiresAt, "expiresAt")) };
    });
    return toStatus(session);
  });
}
