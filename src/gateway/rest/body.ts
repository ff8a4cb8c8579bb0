// Bodies of requests, read as messages.
import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import type { FastifyRequest } from "fastify";
import type { BodyBudget } from "../../kernel/calls/body-budget.ts";
import type { ReadLimits } from "../../kernel/calls/core.ts";
import { invalidRequest, Refusal } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { type FromJson, fromJson } from "../../kernel/json/message-from-json.ts";
import { parseJson, readJsonBody } from "../../transport/http/bodies/json-body.ts";

/** Reads bodies as messages, as far as these are in a body. */
export class BodyReader<M extends DescMessage> {
  readonly #fromJson: (json: unknown) => FromJson<M>;

  constructor(message: M) {
    this.#fromJson = fromJson(message);
  }

  /**
   * The body of a request. @param look sees where it has members that are not read
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
    const { message, violations, isTruncated, unread } = this.#fromJson(parseJson(body));
    if (violations.length > 0) throw invalidRequest(violations, isTruncated);
    look?.(unread);
    return message;
  }
}

/** Sees paths to members that are allowed and not read, the first ones of them. */
export type Look = (unread: readonly Violation["path"][]) => void;
