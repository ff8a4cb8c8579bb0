// Bodies of requests, held to the schema of their message: every violation is named by its place.
import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import type { FastifyRequest } from "fastify";
import type { BodyBudget } from "../../kernel/calls/body-budget.ts";
import type { ReadLimits } from "../../kernel/calls/core.ts";
import { invalidRequest, Refusal, refuseIfAny } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { meantName } from "../../kernel/json/meant-names.ts";
import { type LenientObject, lenientObjects, objectRule } from "../../kernel/json/members.ts";
import { type FromJson, fromJson } from "../../kernel/json/message-from-json.ts";
import { parseJson, readJsonBody } from "../../transport/http/bodies/json-body.ts";

/**
 * Larger bodies are searched for their first violation only, so that a body full of violations costs no more than
 * others.
 */
const maxExplainedBytes = 128 * 1024;
/** Longer names of unknown members are not repeated in the response. */
const maxPathNameLength = 100;
/** So many members that are not read are named, at most. */
const maxUnreadMembers = 10;

const validators = () => import("./body-validators.ts");

/** Reads bodies as messages, as far as these are in a body. */
export class BodyReader<M extends DescMessage> {
  readonly #schema: { readonly $ref: string };
  /** Compiled for the first body. */
  #isValid: ValidateFunction | undefined;
  /** Compiled for the first body that has a violation. */
  #explain: ValidateFunction | undefined;
  readonly #fromJson: FromJson<M>;
  readonly #lenient: readonly LenientObject[];
  readonly #readPlain: ReadPlain<M>;

  /** @param readPlain reads plain bodies faster than it takes to parse them */
  constructor(message: M, readPlain: ReadPlain<M> = () => undefined) {
    this.#readPlain = readPlain;
    this.#schema = { $ref: `${objectRule(message).name}#` };
    this.#fromJson = fromJson(message);
    this.#lenient = lenientObjects(message);
  }

  /**
   * The body of a request. @param look sees the JSON, and where it has members that are not read
   * Throws `invalid_request` for a missing one and for violations, and what reading throws.
   */
  async read(
    request: FastifyRequest,
    limits: ReadLimits,
    budget: BodyBudget,
    look?: Look,
  ): Promise<MessageInitShape<M>> {
    const body = await this.readOptional(request, limits, budget, look);
    if (body !== undefined) return body;
    const detail = "A body is required: at least an empty JSON object.";
    throw new Refusal("invalid_request", "The request has no body.", {
      violations: [{ path: [], code: "required", detail }],
    });
  }

  /** The same for an operation whose body may be missing: then undefined. */
  async readOptional(
    request: FastifyRequest,
    limits: ReadLimits,
    budget: BodyBudget,
    look?: Look,
  ): Promise<MessageInitShape<M> | undefined> {
    const body = await readJsonBody(request.raw, limits, budget);
    if (body === undefined) return undefined;
    const plain = this.#readPlain(body);
    if (plain !== undefined) return plain;
    const json = parseJson(body);
    this.#isValid ??= (await validators()).firstViolation().compile(this.#schema);
    if (this.#isValid(json)) {
      const unread = this.#unreadMembers(json);
      look?.(json, unread);
      return this.#fromJson(json);
    }
    const isSmall = body.length <= maxExplainedBytes;
    const errors = isSmall ? await this.#violationsOf(json) : this.#isValid.errors;
    throw invalidRequest(firstByPlace((errors ?? []).map(toViolation)), !isSmall);
  }

  async #violationsOf(json: unknown): Promise<ValidateFunction["errors"]> {
    this.#explain ??= (await validators()).allViolations().compile(this.#schema);
    this.#explain(json);
    return this.#explain.errors;
  }

  /**
   * Paths to members that lenient objects have and nobody reads. Throws `invalid_request` for one that was meant to be
   * another: it would be lost without a word.
   */
  #unreadMembers(json: unknown): Violation["path"][] {
    const unread: Violation["path"][] = [];
    const violations: Violation[] = [];
    for (const { path, members } of this.#lenient) {
      const object = path.reduce<unknown>((within, name) => (within as Record<string, unknown> | null)?.[name], json);
      for (const name of Object.keys(object ?? {})) {
        if (members.includes(name)) continue;
        if (meantName(name, members) !== undefined) violations.push(unknownMember([...path, name], name, members));
        else if (unread.length < maxUnreadMembers) unread.push([...path, name]);
      }
    }
    refuseIfAny(violations.slice(0, maxUnreadMembers));
    return unread;
  }
}

function unknownMember(path: Violation["path"], name: string, members: readonly string[]): Violation {
  const meant = meantName(name, members);
  const advice = meant === undefined ? "Remove it, or correct its name." : `Did you mean \`${meant}\`?`;
  return { path, code: "unknown_member", detail: `There is no such member here. ${advice}` };
}

/** The message of a body, as its JSON would be read; undefined for any body that it leaves to the parser. */
export type ReadPlain<M extends DescMessage> = (body: Uint8Array) => MessageInitShape<M> | undefined;

/** Sees the JSON of a body. @param unread paths to members that are allowed and not read, the first ones of them */
type Look = (json: unknown, unread: readonly Violation["path"][]) => void;

/** A value of the wrong type breaks other rules as well; the first violation of a place says enough. */
function firstByPlace(violations: readonly Violation[]): Violation[] {
  const byPlace = new Map(violations.toReversed().map((violation) => [violation.path.join("/"), violation]));
  return [...byPlace.values()].toReversed();
}

function toViolation({ keyword, instancePath, params, parentSchema }: ErrorObject): Violation {
  const path = pathOf(instancePath);
  switch (keyword) {
    case "required":
      return { path: [...path, params.missingProperty], code: "required", detail: "This member is required." };
    case "additionalProperties": {
      const name: string = params.additionalProperty;
      const members = Object.keys(parentSchema?.properties ?? {});
      return unknownMember(name.length > maxPathNameLength ? path : [...path, name], name, members);
    }
    case "type":
      return { path, code: "wrong_type", detail: `Must be of type ${[params.type].flat().join(" or ")}.` };
    case "enum":
      return { path, code: "unknown_value", detail: `Must be one of: ${params.allowedValues.join(", ")}.` };
    case "minItems":
      return { path, code: "too_few_items", detail: `At least ${params.limit} must be given.` };
    case "maxItems":
      return { path, code: "too_many_items", detail: `At most ${params.limit} can be given.` };
    case "minLength":
      return { path, code: "too_short", detail: `At least ${params.limit} character must be given.` };
    case "minimum":
      return { path, code: "out_of_range", detail: `Must be at least ${params.limit}.` };
    case "maximum":
      return { path, code: "out_of_range", detail: `Must be at most ${params.limit}.` };
    case "maxLength":
      return { path, code: "too_long", detail: `At most ${params.limit} characters can be given.` };
    default:
      throw new Error(`no words for the keyword ${keyword}`);
  }
}

/** The segments of a JSON pointer; positions in arrays are numbers. */
function pathOf(pointer: string): (string | number)[] {
  const segments = pointer.split("/").slice(1);
  return segments.map((segment) =>
    /^\d+$/.test(segment) ? Number(segment) : segment.replaceAll("~1", "/").replaceAll("~0", "~"),
  );
}
