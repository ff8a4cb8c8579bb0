// The REST transport as a partner calls it.
import type { Operation } from "../../../src/gateway/rest/operations.ts";
import type { Exchange } from "../openapi.ts";
import {
  type As,
  createTransport,
  type Fault,
  type Input,
  type Outcome,
  type RenderedBody,
  type Transport,
} from "./transports.ts";

interface ProblemBody {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly Fault[];
  readonly [fact: string]: unknown;
}

/** Members of every problem; all others are facts. */
const standardMembers = new Set(["type", "title", "status", "requestId", "errorsTruncated"]);

/** A client of the REST transport. @param check sees every answer, and throws where it is not as it should be */
export function restTransport(httpUrl: string, check: (exchange: Exchange) => void = () => undefined): Transport {
  const send = async (as: As, operation: Operation, input: Input, more: Readonly<Record<string, string>> = {}) => {
    const { method } = operation;
    const { url, body } = requestOf(as, operation, input);
    const headers: Record<string, string> = {
      ...(as.token === undefined ? {} : { authorization: `Bearer ${as.token}` }),
      ...(as.partnerId === undefined ? {} : { "partner-id": as.partnerId }),
      ...(as.idempotencyKey === undefined ? {} : { "idempotency-key": as.idempotencyKey }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...more,
    };
    const response = await fetch(httpUrl + url, { method, headers, ...(body === undefined ? {} : { body }) });
    const bytes = Buffer.from(await response.arrayBuffer());
    const { status } = response;
    const contentType = response.headers.get("content-type");
    check({ method, path: new URL(response.url).pathname, status, contentType, body: bytes.toString() });
    return { response, bytes };
  };
  const render = async (as: As, operation: Operation, input: Input): Promise<Outcome<RenderedBody>> => {
    const { languages, knownEntityTag, ...query } = input;
    const { response, bytes } = await send(as, operation, query, {
      ...(languages === undefined ? {} : { "accept-language": (languages as string[]).join(", ") }),
      ...(knownEntityTag === undefined ? {} : { "if-none-match": String(knownEntityTag) }),
      // The tag of packed bytes is another one, which the cases of this transport alone look at.
      "accept-encoding": "identity",
    });
    const { status, headers } = response;
    if (status >= 400) return refusalOf(response, bytes.toString());
    const renderedReport = {
      mediaType: (headers.get("content-type") ?? "").replace("json; charset=utf-8", "json"),
      body: bytes,
      entityTag: headers.get("etag") ?? "",
      fileName: /filename="(.*)"/.exec(headers.get("content-disposition") ?? "")?.[1] ?? "",
      language: headers.get("content-language") ?? "",
      notModified: status === 304,
    };
    return { ok: true, body: renderedReport };
  };
  return createTransport({
    name: "rest",
    async call(as, operation, input) {
      const { response, bytes } = await send(as, operation, input);
      const text = bytes.toString();
      if (!response.ok) return refusalOf(response, text);
      const isReplayed = response.headers.get("idempotent-replayed") === "true";
      const unused = response.headers.get("warning-unused") ?? "";
      const isLines = response.headers.get("content-type")?.startsWith("application/x-ndjson");
      const body = isLines ? bodyOfLines(text) : text === "" ? undefined : JSON.parse(text);
      return { ok: true, body, replayed: isReplayed, unused };
    },
    render,
    async report(as, operation, input) {
      const response = await render(as, operation, input);
      return response.ok ? { ok: true, body: JSON.parse(response.body.body.toString()) } : response;
    },
    close: () => undefined,
  });
}

/** The address of a call, and its body. */
function requestOf({ product = "values-bridge" }: As, operation: Operation, input: Input) {
  const { url, path, query, rule, rpc, hasBody } = operation;
  const others = new Map(Object.entries<unknown>({ product, ...input }));
  let at = url;
  for (const { name, field } of path) {
    at = at.replace(`:${name}`, encodeURIComponent(String(others.get(field.jsonName))));
    others.delete(field.jsonName);
  }
  others.delete("product");
  if (hasBody) {
    const isLeftOut = others.size === 0 && rule.bodyOptional;
    return { url: at, body: isLeftOut ? undefined : JSON.stringify(Object.fromEntries(others)) };
  }
  const search = new URLSearchParams();
  for (const [name, value] of others) {
    const worded = query.find(({ field, rule: { queryWord } }) => queryWord !== "" && field.jsonName === name);
    if (worded !== undefined) {
      if (value !== false) search.append(worded.name, worded.rule.queryWord);
    } else if (
      !rpc.input.fields.some(({ jsonName }) => jsonName === name) ||
      query.some((each) => each.name === name)
    ) {
      search.append(name, String(value));
    }
  }
  return { url: search.size === 0 ? at : `${at}?${search}`, body: undefined };
}

/** Sessions of an export a line each, and a last one. */
function bodyOfLines(text: string): object {
  const lines = text.split("\n").slice(0, -1);
  return { sessions: lines.slice(0, -1).map((line) => JSON.parse(line)), ...JSON.parse(lines.at(-1) ?? "") };
}

function refusalOf(response: Response, text: string): Outcome<never> {
  const { code, detail, errors = [], ...others } = JSON.parse(text) as ProblemBody;
  const retryAfter = response.headers.get("retry-after");
  return {
    ok: false,
    code,
    detail,
    faults: errors.map((fault) => ({ pointer: fault.pointer, code: fault.code })),
    retryAfterSeconds: retryAfter === null ? undefined : Number(retryAfter),
    facts: Object.fromEntries(
      Object.entries(others).flatMap(([name, value]) => (standardMembers.has(name) ? [] : [[name, String(value)]])),
    ),
  };
}
