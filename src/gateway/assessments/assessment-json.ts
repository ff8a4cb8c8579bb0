// The JSON of assessment versions. A version never changes, so its bytes are made once for each coding.
import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { LRUCache } from "lru-cache";
import { type AssessmentSchema, AssessmentSchemaSchema } from "../../gen/assessment/v1/assessment_pb.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { type CompressedPart, compressPart, gzipSpliced } from "../../transport/http/bodies/gzip-splice.ts";
import type { Coding, Representation } from "../../transport/http/send.ts";

const assessmentJson = toJson(AssessmentSchemaSchema);
const maxCached = 64;
const brotliAsync = promisify(brotliCompress);

const memberStart = ',"assessment":';
const memberEnd = "}";

export class AssessmentJson implements Representation {
  readonly codings: readonly Coding[] = ["br", "gzip", "identity"];
  /** Stands for the content in entity tags. */
  readonly tag: string;
  /** The rest of an object that has the assessment as its last member. */
  readonly #rest: Buffer;
  /** The assessment itself, a part of the above. */
  readonly #bytes: Buffer;
  #part: CompressedPart | undefined;
  #brotli: Promise<Buffer> | undefined;

  constructor(assessment: AssessmentSchema) {
    this.#rest = Buffer.from(memberStart + JSON.stringify(assessmentJson(assessment)) + memberEnd);
    this.#bytes = this.#rest.subarray(memberStart.length, -memberEnd.length);
    this.tag = hash("sha256", this.#bytes, "base64url");
  }

  body(coding: Coding): Buffer | Promise<Buffer> {
    if (coding === "gzip") return gzipSpliced("", this.#compressed(), "");
    if (coding === "identity") return this.#bytes;
    this.#brotli ??= brotliAsync(this.#bytes);
    return this.#brotli;
  }

  /** The JSON of an object that has the assessment as its last member. */
  within(head: object): Representation {
    const start = JSON.stringify(head).slice(0, -1);
    return {
      codings: ["gzip", "identity"],
      body: (coding) =>
        coding === "gzip" ? gzipSpliced(start + memberStart, this.#compressed(), memberEnd) : [start, this.#rest],
    };
  }

  #compressed(): CompressedPart {
    this.#part ??= compressPart(this.#bytes);
    return this.#part;
  }
}

export class AssessmentJsonCache {
  readonly #byId = new LRUCache<number, AssessmentJson>({ max: maxCached });

  /** The JSON of a version. */
  of(assessment: AssessmentSchema): AssessmentJson {
    const known = this.#byId.get(assessment.assessmentId);
    if (known !== undefined) return known;
    const made = new AssessmentJson(assessment);
    this.#byId.set(assessment.assessmentId, made);
    return made;
  }
}
