// An operation of the REST interface, with all that the OpenAPI document says of it.

import type { DescMessage, DescMethodUnary } from "@bufbuild/protobuf";
import type { FastifySchema } from "fastify";
import { type ErrorCode, errorRow } from "../../kernel/errors/error-table.ts";
import { object, ref, type Schema } from "../../kernel/json/json-schema.ts";
import { objectRule } from "../../kernel/json/members.ts";
import { products } from "../../kernel/products.ts";
import { requiredScope } from "../../kernel/rpc-options/audit-rules.ts";
import { ProblemDetails } from "../shared/problem-schema.ts";

/** Reasons that any call of the pipeline may have. */
const ofEveryCall: readonly ErrorCode[] = [
  "malformed_request",
  "invalid_request",
  "unauthenticated",
  "permission_denied",
  "not_found",
  "uri_too_long",
  "rate_limited",
  "headers_too_large",
  "internal",
  "unavailable",
  "deadline_exceeded",
];
/** Reasons that a body may be refused for. */
const ofEveryBody: readonly ErrorCode[] = ["request_timeout", "payload_too_large", "unsupported_media_type"];
const noParameters = object({});

/** Headers of responses that may be asked for again. */
export const conditional = { ETag: "Strong entity tag; send it in If-None-Match." };

export interface OperationDocumentation {
  /** Of an operation that shares its rpc with another one; else the name of the rpc. */
  readonly id?: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The message that the body is the JSON of, one with a name. */
  readonly body?: DescMessage;
  readonly isBodyOptional?: boolean;
  readonly query?: Schema;
  readonly headers?: Schema;
  readonly success: {
    readonly status: number;
    readonly description: string;
    /** A message with a name, or what is put together of some. */
    readonly schema?: DescMessage | Schema;
    /** Media types beside JSON, whose bytes no schema describes. */
    readonly otherMedia?: readonly string[];
    /** Media types instead of JSON, each with the schema of a line, if there is one. */
    readonly media?: Readonly<Record<string, DescMessage | undefined>>;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Whether the answer has an entity tag, so that 304 may come instead. */
  readonly isTagged?: boolean;
  /** Reasons beyond those that every operation shares. */
  readonly reasons?: readonly ErrorCode[];
}

/** An operation: where it is, which rpc it is, and the schema that documents it. */
export interface Operation<M extends DescMethodUnary> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly url: string;
  readonly rpc: M;
  /** In the OpenAPI document. */
  readonly id: string;
  /** It documents only; bodies are checked where they are read. */
  readonly schema: FastifySchema & { readonly querystring: Schema };
}

const parameters: Readonly<Record<string, object>> = {
  product: { type: "string", enum: [...products], description: "Assessment product." },
  id: { type: "string", format: "uuid", description: "Session id." },
  groupId: { type: "string", format: "uuid", description: "Group id." },
  endpointId: { type: "string", format: "uuid", description: "Webhook endpoint id." },
  externalId: { type: "string", description: "The partner's own identifier of the person, percent-encoded." },
};

/** Marks operations whose body may be missing, which the schema of a body cannot say. */
export const bodyOptional = "x-body-optional";

/** States an operation. */
export function operation<M extends DescMethodUnary>(
  method: Operation<M>["method"],
  url: string,
  rpc: M,
  documentation: OperationDocumentation,
): Operation<M> {
  const { id = rpc.localName, tag, summary, description, body, query, headers, success } = documentation;
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const reasons = [...ofEveryCall, ...(body === undefined ? [] : ofEveryBody), ...(documentation.reasons ?? [])];
  const pathParameters = Object.fromEntries(names.map((name) => [name, parameters[name]]));
  const schema = {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: [{ oauth2: [requiredScope(rpc)] }],
    params: { type: "object", properties: pathParameters, required: names },
    querystring: query ?? noParameters,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body: refTo(body) }),
    ...(documentation.isBodyOptional ? { [bodyOptional]: true } : {}),
    response: {
      [success.status]: successResponse(success),
      ...(documentation.isTagged ? { 304: { description: "The caller has it already.", type: "null" } } : {}),
      ...problemResponses(reasons),
    },
  };
  return { method, url, rpc, id, schema };
}

function successResponse(success: OperationDocumentation["success"]): object {
  const { description, schema, headers = {}, otherMedia = [], media = {} } = success;
  const others = otherMedia.map((media) => [media, { schema: {} }]);
  return {
    description,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, each]) => [name, { type: "string", description: each }]),
    ),
    ...(schema === undefined
      ? contentOf(media)
      : { content: { "application/json": { schema: refTo(schema) }, ...Object.fromEntries(others) } }),
  };
}

function refTo(schema: DescMessage | Schema): object {
  return "kind" in schema ? { $ref: `${objectRule(schema as DescMessage).name}#` } : ref(schema);
}

function contentOf(media: Readonly<Record<string, DescMessage | undefined>>): object {
  const entries = Object.entries(media).map(([name, schema]) => [
    name,
    { schema: schema === undefined ? {} : refTo(schema) },
  ]);
  return entries.length === 0 ? { type: "null" } : { content: Object.fromEntries(entries) };
}

/** One response for each status, naming the codes it may carry. */
export function problemResponses(reasons: readonly ErrorCode[]): Record<string, object> {
  const rows = [...new Set(reasons)].map(errorRow);
  const statuses = [...new Set(rows.map((row) => row.httpStatus ?? 500))].sort((one, other) => one - other);
  return Object.fromEntries(
    statuses.map((status) => {
      const meant = rows.filter((row) => row.httpStatus === status);
      const description = meant.map(({ code, when }) => `\`${code}\`: ${when}`).join("\n\n");
      return [
        String(status),
        { description, content: { "application/problem+json": { schema: ref(ProblemDetails) } } },
      ];
    }),
  );
}
