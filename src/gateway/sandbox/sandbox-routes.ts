// The routes of the sandbox.
import type { FastifyInstance } from "fastify";
import {
  AutofillSessionRequestSchema,
  AutofillSessionResponseSchema,
  SetTestClockRequestSchema,
  TestClockSchema,
} from "../../gen/assessment/v1/sandbox_service_pb.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { operations } from "../openapi/operations.ts";
import { BodyReader } from "../shared/body.ts";
import { type CoreClient, present } from "../shared/client.ts";
import { sessionOf } from "../shared/path-params.ts";
import { addRoute } from "../shared/route.ts";

const autofillBody = new BodyReader(AutofillSessionRequestSchema);
const clockBody = new BodyReader(SetTestClockRequestSchema);
const filledJson = toJson(AutofillSessionResponseSchema);
const clockJson = toJson(TestClockSchema);

/** Adds the routes. */
export function addSandboxRoutes(app: FastifyInstance, client: CoreClient): void {
  const { autofillSession, getTestClock, setTestClock } = operations;

  addRoute(app, autofillSession, async (request, reply) => {
    const filled = await client.call(autofillSession.rpc, request, reply, async (limits) => {
      const address = sessionOf(request);
      return { ...(await autofillBody.read(request, limits, client.budget)), ...address };
    });
    return filledJson(filled);
  });

  addRoute(app, getTestClock, async (request, reply) => {
    const { clock } = await client.call(getTestClock.rpc, request, reply, () => ({}));
    return clockJson(present(clock));
  });

  addRoute(app, setTestClock, async (request, reply) => {
    const { clock } = await client.call(setTestClock.rpc, request, reply, (limits) =>
      clockBody.read(request, limits, client.budget),
    );
    return clockJson(present(clock));
  });
}
