// The route of the published assessment.
import type { FastifyInstance } from "fastify";
import { sendTagged } from "../../transport/http/send.ts";
import { operations } from "../openapi/operations.ts";
import { type CoreClient, present } from "../shared/client.ts";
import { productOf } from "../shared/path-params.ts";
import { versionOf } from "../shared/query.ts";
import { addRoute } from "../shared/route.ts";
import type { AssessmentJsonCache } from "./assessment-json.ts";

export interface AssessmentRoutesDeps {
  readonly client: CoreClient;
  readonly assessments: AssessmentJsonCache;
}

/** Adds the route of the published assessment. */
export function addAssessmentRoutes(app: FastifyInstance, { client, assessments }: AssessmentRoutesDeps): void {
  const { getAssessment } = operations;
  addRoute(app, getAssessment, async (request, reply) => {
    const { assessment } = await client.call(getAssessment.rpc, request, reply, () => ({
      product: productOf(request),
      ...versionOf(request),
    }));
    const json = assessments.of(present(assessment));
    reply.header("cache-control", "private, max-age=300");
    return sendTagged(reply, json, json.tag);
  });
}
