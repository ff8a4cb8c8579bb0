// Transcodes REST requests to rpcs, and responses to JSON, for all operations. overrides.ts has the exceptions.
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createJsonWriter } from "../../json/messages.ts";
import { type Core, headerNames, makeCall, type ReadLimits, type ReadMessage } from "../../kernel/calls/core.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { toCamelCase } from "../../kernel/formats.ts";
import { createDeprecationHeaders } from "../../kernel/rpc-options.ts";
import type { ArrivingMessages } from "../../limits/memory.ts";
import { createCallHead, getRecord, readHeader } from "../../transport/http/request-record.ts";
import { sendJson } from "../../transport/http/send.ts";
import { readBasePath } from "../../transport/http/server.ts";
import { listHeaders, type Operation } from "./operations.ts";
import { createRequestReader, locateViolations, type MessageFields, type ReadOverrides } from "./read-request.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Unset: the route is not part of the documented interface. */
    operation?: Operation;
  }
}

/** Serves a request. Returns the response as a JSON object, or undefined if it was sent. */
export type RestHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<object | undefined>;

/** The exceptions of an operation. */
export interface Overrides extends ReadOverrides {
  /** Sends the response, whose status and headers are set, or returns its JSON. */
  readonly respond?: (message: never, request: FastifyRequest, reply: FastifyReply) => object | Promise<object>;
  /** The time limit of a call that waits for events; unset: the default. */
  readonly timeoutMs?: number;
}

/** Common parts of all routes. */
export interface RestContext {
  readonly core: Core;
  /** Messages that are arriving, over every transport. */
  readonly bodies: ArrivingMessages;
  readonly publicUrl: () => string;
}

/** Adds the route of an operation. */
export function addRoute(
  app: FastifyInstance,
  operation: Operation,
  handle: RestHandler,
  publicUrl: () => string,
): void {
  const { method, url, rpc } = operation;
  const deprecation = createDeprecationHeaders(rpc, publicUrl);
  app.route({
    method,
    url,
    config: { operation },
    ...(deprecation && { onRequest: async (_request, reply) => void reply.headers(deprecation()) }),
    handler: async (request, reply) => {
      try {
        // Fastify awaits a reply until it is sent.
        const response = await handle(request, reply);
        return response === undefined ? reply : await sendJson(reply, JSON.stringify(response));
      } catch (error) {
        throw error instanceof Refusal ? locateViolations(error, operation) : error;
      }
    },
  });
}

/** Serves an operation by its proto, and its exceptions. */
export function createTranscoder(context: RestContext, operation: Operation, overrides: Overrides = {}): RestHandler {
  const { core, bodies, publicUrl } = context;
  const { rpc, status, response: shape, rule } = operation;
  const read = createRequestReader(bodies, operation, overrides);
  const { respond = shape && createJsonWriter(shape.message) } = overrides;
  const headers = listHeaders(rpc.output);
  return async (request, reply) => {
    let fields: Promise<MessageFields> | undefined;
    const readFields = (limits: ReadLimits) => {
      fields = read(request, reply, limits);
      return fields as Promise<MessageInitShape<DescMethodUnary["input"]>>;
    };
    const response = await callCore(core, rpc, request, reply, readFields, overrides.timeoutMs);
    const output = response as unknown as MessageFields;
    reply.code(status);
    for (const { name, field } of headers) addHeader(reply, name, output[field.localName]);
    if (rule.location !== "") {
      reply.header("location", readBasePath(publicUrl()) + expandPath(rule.location, { ...(await fields), ...output }));
    }
    if (shape === undefined || respond === undefined) return reply.send();
    const message = requireMessage(shape.field === undefined ? output : output[shape.field.localName]);
    return respond(message as never, request, reply);
  };
}

/** Adds a header from a field: a boolean, or a list that is appended. */
function addHeader(reply: FastifyReply, name: string, value: unknown): void {
  if (value === true) reply.header(name, "true");
  if (!Array.isArray(value) || value.length === 0) return;
  const earlierValue = reply.getHeader(name);
  reply.header(name, (earlierValue === undefined ? value : [earlierValue, ...value]).join(", "));
}

/** Throws `internal` if there is no message. */
export function requireMessage<T>(message: T | undefined): T {
  if (message === undefined) throw new Refusal("internal", details.internal);
  return message;
}

/** A path with the values of fields in place of its braces, such as `{group.group_id}`. */
function expandPath(path: string, fields: MessageFields): string {
  return path.replaceAll(/\{([\w.]+)\}/g, (_, names: string) =>
    String(
      names
        .split(".")
        .reduce<unknown>((value, name) => (value as MessageFields | undefined)?.[toCamelCase(name)], fields),
    ),
  );
}

/** Metadata that partners may send. Only gateways may send the others, which describe their callers. */
const acceptedHeaders: ReadonlySet<string> = new Set([headerNames.authorization, headerNames.partnerId]);

/**
 * Calls the core for a request, whose message is read once the call is admitted.
 * Throws the Refusal of the core, or what `read` throws.
 * @param timeoutMs of a call that may wait for events; undefined: the default
 */
export async function callCore<M extends DescMethodUnary>(
  core: Core,
  rpc: M,
  request: FastifyRequest,
  reply: FastifyReply,
  read: ReadMessage<M>,
  timeoutMs?: number,
): Promise<MessageShape<M["output"]>> {
  const header = (name: string) => (acceptedHeaders.has(name) ? readHeader(request, name) : undefined);
  const head = createCallHead(request, "rest", header, timeoutMs);
  try {
    return await makeCall(core, rpc, head, read);
  } catch (error) {
    getRecord(request.raw).isReported = true;
    throw error;
  } finally {
    // Refused calls have these headers too.
    const { quota, isTestData } = head.context;
    if (quota !== undefined) {
      reply.header("ratelimit-policy", `"default";q=${quota.limit};w=${quota.window}`);
      reply.header("ratelimit", `"default";r=${quota.remaining};t=${quota.reset}`);
    }
    if (isTestData) reply.header(headerNames.testData, "true");
  }
}
