// Bodies of HTML forms.
import type { IncomingMessage } from "node:http";
import type { ReadLimits } from "../../../kernel/calls/core.ts";
import { Refusal } from "../../../kernel/errors/refusal.ts";
import type { ArrivingMessages } from "../../../limits/memory.ts";
import { readBody } from "./json-body.ts";

/** The fields of a form body; undefined without one. Throws `unsupported_media_type`, and as `readBody` does. */
export async function readFormBody(
  request: IncomingMessage,
  limits: ReadLimits,
  bodies: ArrivingMessages,
): Promise<URLSearchParams | undefined> {
  const { "content-type": type, "content-encoding": coding } = request.headers;
  const essence = /^\s*([^;\s]*)\s*(?:;|$)/.exec(type ?? "")?.[1]?.toLowerCase();
  const body = essence === "application/x-www-form-urlencoded" ? await readBody(request, limits, bodies) : undefined;
  if (body === undefined && type === undefined && isWithoutBody(request)) return undefined;
  if (body === undefined || coding !== undefined) {
    throw new Refusal(
      "unsupported_media_type",
      "Send the body as `application/x-www-form-urlencoded`, not as JSON and not compressed.",
    );
  }
  return body.length === 0 ? undefined : new URLSearchParams(body.toString());
}

function isWithoutBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
}
