// The route of the published assessment.
import type { FastifyInstance } from "fastify";
import { Refusal } from "../../contract/errors/refusal.ts";
import { sendTagged } from "../../http/send.ts";
import type { CoreClient } from "../core/client.ts";
import type { AssessmentJsonCache } from "../json/assessment.ts";
import { operations } from "../openapi/operations.ts";
import { productOf } from "./parts/path-params.ts";
import { versionOf } from "./parts/query.ts";
import { addRoute } from "./parts/route.ts";

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
    if (assessment === undefined) throw new Refusal("internal", "The service made a mistake.");
    const json = assessments.of(assessment);
    reply.header("cache-control", "private, max-age=300");
    return sendTagged(reply, json, json.tag);
  });
}
