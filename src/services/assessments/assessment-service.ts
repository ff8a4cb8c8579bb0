// AssessmentService, and assessment versions as messages. Each message is built once and serves every response, so that a
// transport can cache its bytes.
import { create } from "@bufbuild/protobuf";
import {
  type AssessmentForm,
  chooseWording,
  type PublishedAssessment,
} from "../../domain/assessments/published-assessment.ts";
import {
  type AssessmentSchema as AssessmentMessage,
  AssessmentSchemaSchema,
  AssessmentForm as FormMessage,
} from "../../gen/assessment/v1/assessment_pb.ts";
import type { AssessmentService } from "../../gen/assessment/v1/assessment_service_pb.ts";
import { type HeadlessSession, HeadlessSessionSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { fromModel } from "../../json/message-from-model.ts";
import { notFoundError, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { findLocaleViolations } from "../../kernel/formats.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import type { ProductMessages, Wording } from "../../products/product.ts";
import type { Dependencies } from "../dependencies.ts";
import { publishAssessment } from "./catalogue.ts";

/** The implementation of AssessmentService. */
export function createAssessmentService(deps: Dependencies): ServiceImpl<typeof AssessmentService> {
  const { catalogue, messages } = deps;
  return {
    async getPublishedAssessment({ product, version, locale, form }, call) {
      throwIfInvalid(findLocaleViolations(locale));
      const assessment = await catalogue.getVersion(product, version, toAssessmentForm(form), call);
      const { assessment: message } = messages(assessment, [locale]);
      return { assessment: message };
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
        questionCount: catalogue.product.questionCount(definition),
        publishedAt,
      }));
      return { versions };
    },
  };
}

const toAssessment = fromModel(AssessmentSchemaSchema);

/** The form that a request asks for; the long one unless stated. */
export function toAssessmentForm(form: FormMessage): AssessmentForm {
  return form === FormMessage.SHORT ? "short" : "long";
}

/** BCP 47 tags, the preferred one first. */
type PreferredLanguages = readonly (string | null | undefined)[];

/** A version as the headless part of a session's creation, in the first requested language that it has. */
export type AssessmentMessages = (
  assessment: PublishedAssessment,
  preferred: PreferredLanguages,
) => HeadlessSession & { readonly assessment: AssessmentMessage };

export function listAssessmentMessages(product: ProductMessages): AssessmentMessages {
  const messages = new WeakMap<Wording, ReturnType<AssessmentMessages>>();
  return (assessment, preferred) => {
    const wording = chooseWording(assessment, preferred);
    const cachedMessage = messages.get(wording);
    if (cachedMessage !== undefined) return cachedMessage;
    const { id: assessmentId, version, form } = assessment;
    const values = product.namedValues(wording);
    const message = toAssessment({ ...wording, product: assessment.product, assessmentId, version, form, values });
    const session = Object.assign(create(HeadlessSessionSchema, { assessment: message }), { assessment: message });
    messages.set(wording, session);
    return session;
  };
}
