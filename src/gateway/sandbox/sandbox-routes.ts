// The routes of the sandbox.
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyInstance } from "fastify";
import type { TestClock } from "../../gen/assessment/v1/sandbox_service_pb.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { operations } from "../openapi/operations.ts";
import { toDateTime } from "../sessions/session-json.ts";
import { BodyReader, timeIn } from "../shared/body.ts";
import type { CoreClient } from "../shared/client.ts";
import { sessionOf } from "../shared/path-params.ts";
import { addRoute } from "../shared/route.ts";
import { AutofillRequest, SetTestClockRequest } from "./sandbox-schemas.ts";

const autofillBody = new BodyReader(AutofillRequest);
const clockBody = new BodyReader(SetTestClockRequest);

/** Adds the routes. */
export function addSandboxRoutes(app: FastifyInstance, client: CoreClient): void {
  const { autofillSession, getTestClock, setTestClock } = operations;

  addRoute(app, autofillSession, async (request, reply) => {
    const { sessionId, recorded } = await client.call(autofillSession.rpc, request, reply, async (limits) => {
      const address = sessionOf(request);
      const { persona } = await autofillBody.read(request, limits, client.budget);
      return { ...address, persona };
    });
    return { sessionId, recorded };
  });

  addRoute(app, getTestClock, async (request, reply) => {
    const { clock } = await client.call(getTestClock.rpc, request, reply, () => ({}));
    return toTestClock(clock);
  });

  addRoute(app, setTestClock, async (request, reply) => {
    const { clock } = await client.call(setTestClock.rpc, request, reply, async (limits) => {
      const { now } = await clockBody.read(request, limits, client.budget);
      return now === undefined ? {} : { now: timestampFromDate(timeIn(now, "now")) };
    });
    return toTestClock(clock);
  });
}

function toTestClock(clock: TestClock | undefined) {
  if (clock?.now === undefined) throw new Refusal("internal", "The service made a mistake.");
  return { now: toDateTime(clock.now), aheadSeconds: clock.aheadSeconds };
}
