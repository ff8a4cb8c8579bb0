// AssessmentService: messages in, use cases of the domain, messages out.
import type { ServiceImpl } from "@connectrpc/connect";
import { type PublishDeps, publishAssessment } from "../../domain/assessments/catalogue.ts";
import type { AssessmentService } from "../../gen/assessment/v1/assessment_service_pb.ts";
import { notFound } from "../../kernel/errors/refusal.ts";
import { deadlineOf } from "../../pipeline/context-values.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import type { AssessmentMessages } from "./assessment-cache.ts";

/** The implementation of AssessmentService. */
export function assessmentService(
  deps: PublishDeps & { readonly messages: AssessmentMessages },
): ServiceImpl<typeof AssessmentService> {
  const { catalogue, messages } = deps;
  return {
    async getPublishedAssessment({ product, version }, context) {
      const published = await catalogue.published(product);
      const assessment =
        version === undefined ? published : await catalogue.byVersion(product, version, deadlineOf(context));
      return { assessment: messages.assessment(assessment) };
    },

    async publishAssessment({ definition }, context) {
      const { assessment, created } = await publishAssessment(deps, definition, deadlineOf(context));
      const { product, id, version } = assessment;
      return { product, assessmentId: id, version, created };
    },

    async listAssessmentVersions({ product }, context) {
      const stored = await deps.assessments.listAssessments(product, deadlineOf(context).signal);
      if (stored.length === 0) throw notFound();
      const versions = stored.map(({ id, version, definition, publishedAt }) => ({
        assessmentId: id,
        version,
        questionCount: catalogue.product.open(definition, id).questions.length,
        publishedAt: toTimestamp(publishedAt),
      }));
      return { versions };
    },
  };
}
