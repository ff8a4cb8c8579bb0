// Assessment versions as messages, made once each: the same objects serve every response, so that a transport can keep
// the bytes it made of them.
import { create } from "@bufbuild/protobuf";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import type { AssessmentSchema as AssessmentMessage } from "../../gen/assessment/v1/assessment_pb.ts";
import { type HeadlessSession, HeadlessSessionSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import type { ProductMessages } from "../../products/product.ts";
import { toAssessmentMessage } from "../sessions/session-messages.ts";

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
