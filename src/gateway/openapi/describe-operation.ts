// What the OpenAPI document says of an operation, as the schema of a route.

import type { DescMessage, DescMethodUnary } from "@bufbuild/protobuf";
import type { FastifySchema } from "fastify";
import { type ErrorCode, errorRow } from "../../kernel/errors/error-table.ts";
import { object, ref, type Schema } from "../../kernel/json/json-schema.ts";
import { objectRule } from "../../kernel/json/members.ts";
import { products } from "../../kernel/products.ts";
import { requiredScope } from "../../kernel/rpc-options/audit-rules.ts";
import type { Deprecation } from "../../kernel/rpc-options/deprecations.ts";
import type { ComposedName } from "../shared/composed-schemas.ts";
import { ProblemDetails } from "../shared/problem-schema.ts";
import type { Operation, OperationDocumentation } from "./operation.ts";

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

const parameters: Readonly<Record<string, object>> = {
  product: { type: "string", enum: [...products], description: "Assessment product." },
  id: { type: "string", format: "uuid", description: "Session id." },
  groupId: { type: "string", format: "uuid", description: "Group id." },
  endpointId: { type: "string", format: "uuid", description: "Webhook endpoint id." },
  externalId: { type: "string", description: "The partner's own identifier of the person, percent-encoded." },
};

/** Marks operations whose body may be missing, which the schema of a body cannot say. */
export const bodyOptional = "x-body-optional";

/** The schema of an operation, for the OpenAPI document. */
export function schemaOf(
  { url, rpc, id, documentation }: Operation<DescMethodUnary>,
  deprecation: Deprecation | undefined,
): FastifySchema {
  const { tag, summary, body, query = {}, headers, success } = documentation;
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
  const reasons = [...ofEveryCall, ...(body === undefined ? [] : ofEveryBody), ...(documentation.reasons ?? [])];
  const pathParameters = Object.fromEntries(names.map((name) => [name, parameters[name]]));
  const description = [documentation.description, deprecation && inWords(deprecation)].filter(
    (text) => text !== undefined,
  );
  const schema = {
    operationId: id,
    tags: [tag],
    summary,
    ...(description.length === 0 ? {} : { description: description.join("\n\n") }),
    ...(deprecation === undefined ? {} : { deprecated: true }),
    security: [{ oauth2: [requiredScope(rpc)] }],
    params: { type: "object", properties: pathParameters, required: names },
    querystring: object(query),
    ...(headers === undefined ? {} : { headers: object(headers) }),
    ...(body === undefined ? {} : { body: refTo(body) }),
    ...(documentation.isBodyOptional ? { [bodyOptional]: true } : {}),
    response: {
      [success.status]: successResponse(success),
      ...(documentation.isTagged ? { 304: { description: "The caller has it already.", type: "null" } } : {}),
      ...problemResponses(reasons),
    },
  };
  return schema;
}

function inWords({ since, sunset, instead }: Deprecation): string {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return `Deprecated since ${day(since)}; it may be gone from ${day(sunset)} on. ${instead}`;
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

function refTo(schema: DescMessage | ComposedName): Schema {
  return { $ref: `${typeof schema === "string" ? schema : objectRule(schema).name}#` };
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
