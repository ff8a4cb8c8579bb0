// Reading JSON bodies: strict parsing, and validation that names every fault by its place.
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import { ref } from "../../http/json-schema.ts";
import { Problem, type ProblemFault } from "../../http/problem.ts";
import { requestSchemas } from "../schemas/requests.ts";

/** Larger bodies are searched for their first fault only, so that a body full of faults costs no more than others. */
const maxExplainedBytes = 128 * 1024;
/** Longer names of unknown members are not repeated in the answer. */
const maxPointerNameLength = 100;

const options = { validateFormats: false, schemas: requestSchemas.map((schema) => ({ ...schema })) };
const firstFault = new Ajv2020(options);
const allFaults = new Ajv2020({ ...options, allErrors: true });

/** Checks bodies against a schema; nothing in them is changed. */
export class BodyReader<T extends TSchema> {
  readonly #isValid: ValidateFunction;
  readonly #explain: ValidateFunction;

  constructor(schema: T) {
    this.#isValid = firstFault.compile(ref(schema));
    this.#explain = allFaults.compile(ref(schema));
  }

  /** The request's body; throws the problem `invalid_request` for a missing one and for faults. */
  read(request: FastifyRequest): Static<T> {
    const { body } = request;
    if (body === undefined) {
      const fault = { pointer: "#", code: "required", detail: "A body is required: at least an empty JSON object." };
      throw new Problem("invalid_request", "The request has no body.", { faults: [fault] });
    }
    if (this.#isValid(body)) return body as Static<T>;
    const isSmall = Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY) <= maxExplainedBytes;
    if (isSmall) this.#explain(body);
    const errors = (isSmall ? this.#explain.errors : this.#isValid.errors) ?? [];
    throw new Problem("invalid_request", "The request breaks a rule of the interface.", {
      faults: firstByPlace(errors.map(toFault)),
      isTruncated: !isSmall,
    });
  }
}

/** A value of the wrong type breaks other rules as well; the first fault of a place says enough. */
function firstByPlace(faults: readonly ProblemFault[]): ProblemFault[] {
  return [...new Map(faults.toReversed().map((fault) => [fault.pointer, fault])).values()].toReversed();
}

function toFault({ keyword, instancePath, params }: ErrorObject): ProblemFault {
  const pointer = `#${encodeURI(instancePath)}`;
  switch (keyword) {
    case "required":
      return { pointer: `${pointer}/${params.missingProperty}`, code: "required", detail: "This member is required." };
    case "additionalProperties": {
      const detail = "There is no such member here.";
      return { pointer: memberPointer(pointer, params.additionalProperty), code: "unknown_member", detail };
    }
    case "type":
      return { pointer, code: "wrong_type", detail: `Must be of type ${[params.type].flat().join(" or ")}.` };
    case "enum":
      return { pointer, code: "unknown_value", detail: `Must be one of: ${params.allowedValues.join(", ")}.` };
    case "minItems":
      return { pointer, code: "too_few_items", detail: `At least ${params.limit} must be given.` };
    case "maxItems":
      return { pointer, code: "too_many_items", detail: `At most ${params.limit} can be given.` };
    case "minLength":
      return { pointer, code: "too_short", detail: `At least ${params.limit} character must be given.` };
    case "maxLength":
      return { pointer, code: "too_long", detail: `At most ${params.limit} characters can be given.` };
    default:
      throw new Error(`no words for the keyword ${keyword}`);
  }
}

function memberPointer(parent: string, name: string): string {
  if (name.length > maxPointerNameLength) return parent;
  return `${parent}/${encodeURIComponent(name.toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"))}`;
}
