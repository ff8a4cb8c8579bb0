// The JSON of assessment versions. A version never changes, so its bytes are made once.
import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { AssessmentSchema } from "../gen/assessment/v1/assessment_pb.ts";
import { toAssessment } from "./representations.ts";

export interface AssessmentJson {
  readonly text: string;
  /** Strong entity tag. */
  readonly etag: string;
}

const maxCached = 64;

export class AssessmentJsonCache {
  readonly #byId = new LRUCache<number, AssessmentJson>({ max: maxCached });

  /** The JSON of a version. */
  of(assessment: AssessmentSchema): AssessmentJson {
    const known = this.#byId.get(assessment.assessmentId);
    if (known !== undefined) return known;
    const text = JSON.stringify(toAssessment(assessment));
    const made = { text, etag: `"${hash("sha256", text, "base64url")}"` };
    this.#byId.set(assessment.assessmentId, made);
    return made;
  }
}
