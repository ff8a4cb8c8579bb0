// AssessmentService: reads, publishes and lists versions.
import type { AssessmentForm } from "../../domain/assessments/published-assessment.ts";
import { AssessmentForm as FormMessage } from "../../gen/assessment/v1/assessment_pb.ts";
import type { AssessmentService } from "../../gen/assessment/v1/assessment_service_pb.ts";
import { notFoundError, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { findLocaleViolations } from "../../kernel/formats.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import type { CallDependencies } from "../dependencies.ts";
import { publishAssessment } from "./catalogue.ts";

/** The implementation of AssessmentService. */
export function createAssessmentService(deps: CallDependencies): ServiceImpl<typeof AssessmentService> {
  const { catalogue } = deps;
  return {
    async getPublishedAssessment({ product, version, locale, form }, call) {
      throwIfInvalid(findLocaleViolations(locale));
      const assessment = await catalogue.getVersion(product, version, toAssessmentForm(form), call);
      return { assessment: catalogue.toMessage(assessment, [locale]).assessment };
    },

    async publishAssessment({ definition }, call) {
      const { assessment, created } = await publishAssessment(deps, definition, call);
      const { product, id, version } = assessment;
      return { product, assessmentId: id, version, created };
    },

    async listAssessmentVersions({ product }, call) {
      const assessments = await deps.assessments.listAssessments(product, call.signal);
      if (assessments.length === 0) throw notFoundError();
      const versions = assessments.map(({ id, version, definition, publishedAt }) => ({
        assessmentId: id,
        version,
        questionCount: catalogue.product.countQuestions(definition),
        publishedAt,
      }));
      return { versions };
    },
  };
}

/** The form that a request asks for; the long one unless stated. */
export function toAssessmentForm(form: FormMessage): AssessmentForm {
  return form === FormMessage.SHORT ? "short" : "long";
}
