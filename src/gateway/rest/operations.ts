// The operations of REST, derived from the protos: paths from google.api.http, parameters from fields with the option `json`,
// responses from the option `rest`.
import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  getOption,
} from "@bufbuild/protobuf";
import { type JsonMember, json, type RestRule, RestRuleSchema, rest } from "../../gen/assessment/v1/options_pb.ts";
import { http } from "../../gen/google/api/annotations_pb.ts";
import type { HttpRule } from "../../gen/google/api/http_pb.ts";
import { servicesByTag } from "../../kernel/services.ts";

/** A field in the path, the query or a header. */
export interface Parameter {
  /** Its name in the request; a header in lower case. */
  readonly name: string;
  readonly field: DescField;
  readonly rule: JsonMember;
}

export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path in the router's syntax: `/v1/:product/sessions/:id`. */
  readonly url: string;
  readonly rpc: DescMethodUnary;
  /** In the OpenAPI document. */
  readonly id: string;
  readonly tag: string;
  readonly rule: RestRule;
  readonly path: readonly Parameter[];
  readonly query: readonly Parameter[];
  /** Names of all query parameters; some are no fields. */
  readonly queryNames: readonly string[];
  readonly headers: readonly Parameter[];
  readonly hasBody: boolean;
  /** The message in the response, and its field, if it is only a part; unset: no body. */
  readonly response: { readonly message: DescMessage; readonly field: DescField | undefined } | undefined;
  /** The status of a success. */
  readonly status: number;
}

const verbs = { get: "GET", post: "POST", put: "PUT", patch: "PATCH", delete: "DELETE" } as const;

/** Every operation. */
export const operations: readonly Operation[] = Object.entries(servicesByTag).flatMap(([tag, service]) =>
  service.methods.flatMap((rpc) => (isUnary(rpc) ? describeOperations(tag, rpc) : [])),
);

/** The operation with an id. Throws if there is none. */
export function getOperation(id: string): Operation {
  const match = operations.find((operation) => operation.id === id);
  if (match === undefined) throw new Error(`no proto states the operation ${id}`);
  return match;
}

function isUnary(rpc: DescMethod): rpc is DescMethodUnary {
  return rpc.methodKind === "unary";
}

function describeOperations(tag: string, rpc: DescMethodUnary): Operation[] {
  const first = getOption(rpc, http);
  if (first.pattern.case === undefined) return [];
  const rules = getOption(rpc, rest);
  return [first, ...first.additionalBindings].map((binding, index) =>
    describeOperation(tag, rpc, binding, rules[index] ?? create(RestRuleSchema)),
  );
}

function describeOperation(tag: string, rpc: DescMethodUnary, binding: HttpRule, rule: RestRule): Operation {
  const { pattern, body, responseBody } = binding;
  if (pattern.case === undefined || pattern.case === "custom") throw new Error(`${rpc} has a path without a method`);
  const path = [...pattern.value.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => toParameter(rpc, name));
  const hasBody = body === "*";
  const fields = rpc.input.fields.map((field) => ({ name: field.jsonName, field, rule: getOption(field, json) }));
  // Fields of a oneof are in paths.
  const query = fields
    .filter(
      ({ field, rule: { elsewhere } }) =>
        !hasBody && !elsewhere && field.oneof === undefined && !path.some((each) => each.field === field),
    )
    .map((each) => ({ ...each, name: each.rule.query || each.name }));
  const responseField = rpc.output.fields.find(({ name }) => name === responseBody);
  const message = responseBody === "" ? rpc.output : responseField?.message;
  if (message === undefined) throw new Error(`${rpc} answers ${responseBody}, which is no message`);
  const response = rule.status === 204 || message.fields.length === 0 ? undefined : { message, field: responseField };
  return {
    method: verbs[pattern.case],
    url: pattern.value.replaceAll(/\{(\w+)\}/g, (_, name: string) => `:${toParameter(rpc, name).name}`),
    rpc,
    id: rule.id === "" ? rpc.localName : rule.id,
    tag: rule.tag === "" ? tag : rule.tag,
    rule,
    path,
    query,
    queryNames: [...query.map(({ name }) => name), ...rule.query],
    headers: listHeaders(rpc.input),
    hasBody,
    response,
    status: rule.status || (response === undefined ? 204 : 200),
  };
}

/** In paths, a session's id is called `id`. */
function toParameter({ input }: DescMethodUnary, name: string): Parameter {
  const field = input.fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`${input} has no field ${name}`);
  return { name: name === "session_id" ? "id" : field.jsonName, field, rule: getOption(field, json) };
}

/** The fields of a message that are headers. */
export function listHeaders(message: DescMessage): Parameter[] {
  const all = message.fields.map((field) => ({ field, rule: getOption(field, json) }));
  return all.flatMap(({ field, rule }) =>
    rule.header === "" ? [] : [{ name: rule.header.toLowerCase(), field, rule }],
  );
}
