// The route of the published assessment.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "../../contract/refusal.ts";
import { sendTagged } from "../../http/send.ts";
import type { CoreClient } from "../core/client.ts";
import type { AssessmentJsonCache } from "../json/assessment.ts";
import { operations } from "../openapi/operations.ts";
import { productOf } from "./path-params.ts";
import { addRoute } from "./route.ts";

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

function versionOf(request: FastifyRequest): { version?: number } {
  const { version } = request.query as { version?: string | string[] };
  if (version === undefined) return {};
  if (typeof version !== "string" || !/^[1-9]\d{0,8}$/.test(version)) {
    throw new Refusal("invalid_request", "The query parameter `version` is not a version.", {
      violations: [{ path: ["version"], code: "out_of_range", detail: "A version is an integer from 1." }],
    });
  }
  return { version: Number(version) };
}
