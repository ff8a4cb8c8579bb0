// An operation in the OpenAPI document.

import type { DescMessage } from "@bufbuild/protobuf";
import { listHeaders, type Operation, type Parameter } from "../../src/gateway/rest/operations.ts";
import { ProblemSchema } from "../../src/gen/assessment/v1/errors_pb.ts";
import { type ErrorCode, errorRows, getErrorRow } from "../../src/kernel/errors/error-table.ts";
import { products } from "../../src/kernel/ids.ts";
import { type Deprecation, readRequiredScope } from "../../src/kernel/rpc-options.ts";
import { type Additions, additions } from "./additions.ts";
import { findComment } from "./comments.ts";
import type { ComposedName } from "./composed-schemas.ts";
import { type Schema, string } from "./json-schema.ts";
import { choiceSchema, parameterSchema, schemaName } from "./message-schema.ts";
import { type ResponseExamples, responseExamples } from "./response-examples.ts";

/** Error codes that any call may have. */
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
/** Error codes of bodies. */
const ofEveryBody: readonly ErrorCode[] = ["request_timeout", "payload_too_large", "unsupported_media_type"];

const pathParameters: Readonly<Record<string, Schema>> = {
  product: choiceSchema(products, { description: "Assessment product." }),
  id: string({ format: "uuid", description: "Session id." }),
  groupId: string({ format: "uuid", description: "Group id." }),
  endpointId: string({ format: "uuid", description: "Webhook endpoint id." }),
  externalId: string({ description: "The partner's own identifier of the person, percent-encoded." }),
};

export function describeOperation(operation: Operation, deprecation: Deprecation | undefined): object {
  const { id, tag, rpc, rule, path, query, headers, hasBody, status } = operation;
  const extra = additions[id] ?? {};
  const [about, errors] = findComment(rpc).split(/ ?Errors: /);
  const reasons = [...ofEveryCall, ...(hasBody ? ofEveryBody : []), ...reasonsIn(errors ?? "")];
  const optionalBody = rule.bodyOptional ? "The body is optional." : "";
  const description = [
    [about, optionalBody].filter(Boolean).join(" "),
    extra.description,
    deprecation && inWords(deprecation),
  ];
  const examples = responseExamples[id] ?? {};
  const parameters = [
    ...query.map((each) => describeParameter("query", each.name, describedSchema(each))),
    ...Object.entries(extra.query ?? {}).map(([name, schema]) => describeParameter("query", name, schema)),
    ...path.map(({ name }) => describeParameter("path", name, pathParameters[name] ?? {})),
    ...headers.map((each) => describeParameter("header", each.name, describedSchema(each))),
  ];
  return {
    operationId: id,
    summary: rule.summary,
    tags: [tag],
    description: description.filter(Boolean).join("\n\n"),
    ...(hasBody ? { requestBody: describeBody("application/json", refTo(rpc.input), !rule.bodyOptional) } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(deprecation === undefined ? {} : { deprecated: true }),
    security: [{ oauth2: [readRequiredScope(rpc)] }],
    responses: {
      [status]: successResponse(operation, extra, examples[status]),
      ...(extra.headers?.ETag === undefined ? {} : { 304: { description: "The caller has it already." } }),
      ...problemResponses(reasons, examples),
    },
  };
}

/** A body of one media type. */
export function describeBody(type: string, schema: Schema, required = true): object {
  return { required, content: { [type]: { schema } } };
}

function describeParameter(
  place: "query" | "path" | "header",
  name: string,
  { description, examples, ...schema }: Schema,
): object {
  const [example] = (examples as readonly unknown[] | undefined) ?? [];
  return {
    schema,
    ...(example === undefined ? {} : { example }),
    in: place,
    name,
    required: place === "path",
    description,
  };
}

/** The error codes that a comment names. */
function reasonsIn(errors: string): ErrorCode[] {
  const reasonNames = new Set(errors.match(/\b[A-Z][A-Z_]+\b/g));
  return errorRows.filter(({ reason }) => reasonNames.has(reason)).map(({ code }) => code);
}

function describedSchema({ field, rule }: Parameter): Schema {
  return { ...parameterSchema(field, rule), description: findComment(field) };
}

function inWords({ since, sunset, instead }: Deprecation): string {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return `Deprecated since ${day(since)}; it may be gone from ${day(sunset)} on. ${instead}`;
}

function successResponse(
  { rpc, rule, response }: Operation,
  { schema, headers, otherMedia = [], media }: Additions,
  example: string | undefined,
): object {
  const located = rule.location === "" ? {} : { Location: "Path of the created resource." };
  const deprecationMark = Object.fromEntries(
    listHeaders(rpc.output).map((header) => [header.rule.header, findComment(header.field)]),
  );
  const all = Object.entries({ ...located, ...deprecationMark, ...headers });
  const message = schema ?? response?.message;
  const others = otherMedia.map((each) => [each, { schema: {} }]);
  return {
    description: findComment(response?.message ?? rpc.output),
    headers: Object.fromEntries(all.map(([name, description]) => [name, { schema: { type: "string" }, description }])),
    ...(media !== undefined || message === undefined
      ? describeContent(media ?? {}, example)
      : {
          content: {
            "application/json": jsonContent(refTo(message), example),
            ...Object.fromEntries(others),
          },
        }),
  };
}

/** A reference to a named message, or a composed schema. */
export function refTo(schema: DescMessage | ComposedName): Schema {
  return { $ref: `${typeof schema === "string" ? schema : schemaName(schema)}#` };
}

/** The content of a JSON body. @param example a text of it */
export function jsonContent(schema: Schema, example: string | undefined): object {
  return example === undefined ? { schema } : { schema, example: JSON.parse(example) };
}

/** Content without a schema. @param example of it */
function describeContent(
  media: Readonly<Record<string, DescMessage | undefined>>,
  example: string | undefined,
): object {
  const entries = Object.entries(media).map(([name, schema]) => [
    name,
    schema === undefined ? { schema: {}, ...(example && { example }) } : { schema: refTo(schema) },
  ]);
  return entries.length === 0 ? {} : { content: Object.fromEntries(entries) };
}

/** One response for each status, with the error codes that have it. */
export function problemResponses(
  reasons: readonly ErrorCode[],
  examples: ResponseExamples[string] = {},
): Record<string, object> {
  const rows = [...new Set(reasons)].map(getErrorRow);
  const statuses = [...new Set(rows.map((row) => row.httpStatus ?? 500))].sort((one, other) => one - other);
  return Object.fromEntries(
    statuses.map((status) => {
      const statusRows = rows.filter((row) => row.httpStatus === status);
      const description = statusRows.map(({ code, when }) => `\`${code}\`: ${when}`).join("\n\n");
      const problem = jsonContent(refTo(ProblemSchema), examples[status]);
      return [String(status), { description, content: { "application/problem+json": problem } }];
    }),
  );
}
