// The JSON of assessment versions. A version never changes, so its bytes are made once for each coding.
import { constants, crc32, deflateRawSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import { type AssessmentSchema, AssessmentSchemaSchema } from "../../gen/assessment/v1/assessment_pb.ts";
import { toJson } from "../../json/message-json.ts";
import type { Representation } from "../../transport/http/send.ts";
import { StaticFile } from "../../transport/http/static-files.ts";

const assessmentJson = toJson(AssessmentSchemaSchema);
const maxCached = 64;

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** Ends deflated bytes at a byte boundary, so that others can follow. */
const openEnd = { finishFlush: constants.Z_SYNC_FLUSH };

export class AssessmentJson extends StaticFile {
  #deflated: Buffer | undefined;

  constructor(assessment: AssessmentSchema) {
    super("application/json; charset=utf-8", JSON.stringify(assessmentJson(assessment)));
  }

  /** The JSON of an object that has the assessment as its last member. */
  within(object: object): Representation {
    const [before, after] = [`${JSON.stringify(object).slice(0, -1)},"assessment":`, "}"];
    return {
      codings: ["gzip", "identity"],
      body: (coding) =>
        coding === "gzip"
          ? this.#gzip(before, after)
          : Buffer.concat([Buffer.from(before), this.content, Buffer.from(after)]),
    };
  }

  /** Wraps the assessment in other text (RFC 1952). It is compressed once: that takes longer than the rest of a new session. */
  #gzip(before: string, after: string): Buffer {
    this.#deflated ??= deflateRawSync(this.content, openEnd);
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc32(after, crc32(this.content, crc32(before))));
    trailer.writeUInt32LE(Buffer.byteLength(before) + this.content.length + Buffer.byteLength(after), 4);
    const [head, tail] = [deflateRawSync(before, openEnd), deflateRawSync(after)];
    return Buffer.concat([gzipHeader, head, this.#deflated, tail, trailer]);
  }
}

export class AssessmentJsonCache {
  readonly #byKey = new LRUCache<string, AssessmentJson>({ max: maxCached });

  /** The JSON of a version in a language. */
  of(assessment: AssessmentSchema): AssessmentJson {
    const key = `${assessment.assessmentId} ${assessment.language}`;
    const cachedJson = this.#byKey.get(key);
    if (cachedJson !== undefined) return cachedJson;
    const json = new AssessmentJson(assessment);
    this.#byKey.set(key, json);
    return json;
  }
}
