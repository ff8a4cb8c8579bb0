// AssessmentService, and assessment versions as messages, made once each: the same objects serve every response, so that a
// transport can keep the bytes it made of them.
import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import type { AssessmentSchema as AssessmentMessage } from "../../gen/assessment/v1/assessment_pb.ts";
import type { AssessmentService } from "../../gen/assessment/v1/assessment_service_pb.ts";
import { type HeadlessSession, HeadlessSessionSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { notFound } from "../../kernel/errors/refusal.ts";
import { deadlineOf } from "../../pipeline/call.ts";
import type { ProductMessages } from "../../products/product.ts";
import { toAssessmentMessage, toTimestamp } from "../sessions/session-messages.ts";
import { type PublishDeps, publishAssessment } from "./catalogue.ts";

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

export class AssessmentMessages {
  readonly #product: ProductMessages;
  readonly #sessions = new WeakMap<PublishedAssessment, HeadlessSession & { assessment: AssessmentMessage }>();

  constructor(product: ProductMessages) {
    this.#product = product;
  }

  /** The version as a message. */
  assessment(assessment: PublishedAssessment): AssessmentMessage {
    return this.#of(assessment).assessment;
  }

  /** The headless part of a session's creation. */
  headlessSession(assessment: PublishedAssessment): HeadlessSession {
    return this.#of(assessment);
  }

  #of(assessment: PublishedAssessment): HeadlessSession & { assessment: AssessmentMessage } {
    const known = this.#sessions.get(assessment);
    if (known !== undefined) return known;
    const message = toAssessmentMessage(assessment, this.#product);
    const made = Object.assign(create(HeadlessSessionSchema, { assessment: message }), { assessment: message });
    this.#sessions.set(assessment, made);
    return made;
  }
}
