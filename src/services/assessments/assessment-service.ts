// AssessmentService: messages in, use cases of the domain, messages out.
import { type PublishDeps, publishAssessment } from "../../domain/assessments/catalogue.ts";
import { openAssessment } from "../../domain/assessments/published-assessment.ts";
import { notFound } from "../../domain/errors.ts";
import { AssessmentService } from "../../gen/assessment/v1/assessment_service_pb.ts";
import { type Handlers, implement } from "../../pipeline/implementation.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import type { AssessmentMessages } from "./assessment-cache.ts";

/** The implementation of AssessmentService. */
export function assessmentService(deps: PublishDeps & { readonly messages: AssessmentMessages }): Handlers {
  const { catalogue, messages } = deps;
  return implement(AssessmentService, {
    async getPublishedAssessment({ product, version }, call) {
      const published = await catalogue.published(product);
      const assessment = version === undefined ? published : await catalogue.byVersion(product, version, call.deadline);
      return { assessment: messages.assessment(assessment) };
    },

    async publishAssessment({ definition }, call) {
      const { assessment, created } = await publishAssessment(deps, definition, call.deadline);
      const { product, id, version } = assessment;
      return { product, assessmentId: id, version, created };
    },

    async listAssessmentVersions({ product }, call) {
      const stored = await deps.assessments.listAssessments(product, call.deadline.signal);
      if (stored.length === 0) throw notFound();
      const versions = stored.map(openAssessment).map(({ id, version, questions, publishedAt }) => ({
        assessmentId: id,
        version,
        questionCount: questions.length,
        publishedAt: toTimestamp(publishedAt),
      }));
      return { versions };
    },
  });
}
