// Transcodes REST requests to rpcs, and their responses to JSON: one way for all operations. by-hand.ts has the exceptions.
import type { DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { toJson } from "../../json/message-json.ts";
import type { ReadLimits } from "../../kernel/calls/core.ts";
import { notFound, Refusal, unknownProduct } from "../../kernel/errors/refusal.ts";
import { isProduct, isUuid } from "../../kernel/ids.ts";
import { basePath } from "../../transport/http/base-path.ts";
import { sendJson } from "../../transport/http/send.ts";
import { neverCalled } from "../../transport/http/served.ts";
import type { CoreClient } from "./client.ts";
import { headersOf, type Operation, type Parameter } from "./operations.ts";
import { bodyReader, type Look, readParameter } from "./query.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation; unset: not part of the documented interface. */
    operation?: Operation;
  }
}

/** Serves a request. Returns the JSON of the response as an object, or nothing if it has sent the response itself. */
export type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<object | undefined>;

/** The exceptions of an operation. */
export interface Besides {
  /** Fields from headers, read before those of the query. */
  readonly fields?: (request: FastifyRequest) => Fields;
  /** Receives the body of a request. */
  readonly look?: (reply: FastifyReply) => Look;
  /** Sends the response itself, after status and headers were set; or returns the JSON. */
  readonly answer?: (message: never, request: FastifyRequest, reply: FastifyReply) => object | Promise<object>;
  /** Of a call that may wait for events; unset: the default. */
  readonly timeoutMs?: number;
}

/** Dependencies of all operations. */
export interface RestContext {
  readonly client: CoreClient;
  readonly publicUrl: () => string;
}

/** Adds the route of an operation. It is served before Fastify reads the body, because the core reads it. */
export function addRoute(app: FastifyInstance, operation: Operation, serve: Serve): void {
  const { method, url } = operation;
  app.route({
    method,
    url,
    config: { operation },
    onRequest: async (request, reply) => {
      try {
        // A reply is a promise for nothing, so Fastify can await it.
        const response = await serve(request, reply);
        return response === undefined ? reply : await sendJson(reply, JSON.stringify(response));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return reply.refuse(placed(error, operation));
      }
    },
    handler: neverCalled,
  });
}

/** Serves an operation by its proto, and its exceptions. */
export function transcoded(context: RestContext, operation: Operation, besides: Besides = {}): Serve {
  const { client, publicUrl } = context;
  const { rpc, status, response, rule } = operation;
  const read = requestReader(client, operation, besides);
  const { answer: answerBy = response && toJson(response.message) } = besides;
  const headers = headersOf(rpc.output);
  return async (request, reply) => {
    let asked: Fields = {};
    const answer = (await client.call(
      rpc,
      request,
      reply,
      async (limits) => {
        asked = await read(request, reply, limits);
        return asked as MessageInitShape<DescMethodUnary["input"]>;
      },
      besides.timeoutMs,
    )) as unknown as Fields;
    reply.code(status);
    for (const { name, field } of headers) addHeader(reply, name, answer[field.localName]);
    if (rule.location !== "") {
      reply.header("location", basePath(publicUrl()) + filled(rule.location, { ...asked, ...answer }));
    }
    if (response === undefined || answerBy === undefined) return reply.send();
    const message = present(response.field === undefined ? answer : answer[response.field.localName]);
    return answerBy(message as never, request, reply);
  };
}

/** A field that is a header: a boolean, or a list that is appended to the header. */
function addHeader(reply: FastifyReply, name: string, value: unknown): void {
  if (value === true) reply.header(name, "true");
  if (!Array.isArray(value) || value.length === 0) return;
  const known = reply.getHeader(name);
  reply.header(name, (known === undefined ? value : [known, ...value]).join(", "));
}

/** The response of a call, unless it was sent already. Throws `internal` if the core did. */
export function present<T>(message: T | undefined): T {
  if (message === undefined) throw new Refusal("internal", "The service made a mistake.");
  return message;
}

type Fields = Readonly<Record<string, unknown>>;

function requestReader(
  client: CoreClient,
  { rpc, rule, path, query, headers, hasBody }: Operation,
  { look, fields: besideThem }: Besides,
) {
  const readBody = hasBody ? bodyReader(rpc.input, client.budget, rule.bodyOptional) : undefined;
  return async (request: FastifyRequest, reply: FastifyReply, limits: ReadLimits): Promise<Fields> => {
    const address = fieldsOf(path, (parameter) => pathValue(request, parameter));
    const beside = besideThem?.(request);
    const asked = fieldsOf(query, (parameter) => readParameter(request, parameter));
    const given = fieldsOf(headers, ({ name }) => headerText(request, name));
    return { ...(await readBody?.(request, limits, look?.(reply))), ...asked, ...given, ...beside, ...address };
  };
}

function fieldsOf(parameters: readonly Parameter[], read: (parameter: Parameter) => unknown): Fields {
  const fields: Record<string, unknown> = {};
  for (const parameter of parameters) {
    const value = read(parameter);
    const { localName, oneof } = parameter.field;
    if (value === undefined) continue;
    if (oneof === undefined) fields[localName] = value;
    else fields[oneof.localName] = { case: localName, value };
  }
  return fields;
}

/** The path fields of a request. Throws `not_found` for an unknown product, and for an invalid UUID. */
export function pathOf(request: FastifyRequest, { path }: Operation): Readonly<Record<string, string>> {
  return Object.fromEntries(path.map((each) => [each.field.localName, pathValue(request, each)]));
}

function pathValue(request: FastifyRequest, { name, field }: Parameter): string {
  const value = (request.params as Readonly<Record<string, string>>)[name] ?? "";
  if (name === "product" && !isProduct(value)) throw unknownProduct();
  // An external id is any text.
  if (field.name.endsWith("_id") && field.name !== "external_id" && !isUuid(value)) throw notFound();
  return value;
}

/** `k` and `"k"` are the same value. */
function headerText(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  const text = Array.isArray(value) ? value.join(", ") : value;
  return text === undefined ? undefined : (/^"(.*)"$/.exec(text)?.[1] ?? text);
}

/** A path with the fields in its braces, those of nested messages too. */
function filled(path: string, fields: Fields): string {
  return path.replaceAll(/\{([\w.]+)\}/g, (_, names: string) =>
    String(
      names.split(".").reduce<unknown>((within, name) => (within as Fields | undefined)?.[localName(name)], fields),
    ),
  );
}

function localName(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Violations of these parameters have pointers as in a body, and clients may rely on that. */
const pointing: ReadonlySet<string> = new Set(["getChange", "getNorms"]);

/** A refusal whose violations say where REST takes a field from: there is no pointer to what is not in the body. */
function placed(refusal: Refusal, { id, path, query, headers, hasBody }: Operation): Refusal {
  if (refusal.violations.length === 0) return refusal;
  const { code, message, violations, ...options } = refusal;
  const outside = [...path, ...headers];
  const moved = violations.map((violation) => {
    const [first] = violation.path;
    const isNamed = ({ field }: Parameter) => field.jsonName === first && violation.code !== "unknown_member";
    const parameter = violation.parameter ?? query.find(isNamed)?.name;
    const isOutsideBody = (!hasBody && !pointing.has(id)) || first === undefined || outside.some(isNamed);
    return { ...violation, isOutsideBody, ...(parameter ? { parameter } : {}) };
  });
  return new Refusal(code, message, { ...options, violations: moved });
}
