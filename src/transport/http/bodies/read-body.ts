// Reading the body of a request, when it is asked for: bounded alone, and together with all others of the process.
import type { IncomingMessage } from "node:http";
import { Negotiator } from "@fastify/accept-negotiator";
import type { FastifyRequest } from "fastify";
import type { BodyBudget } from "../../../kernel/calls/body-budget.ts";
import type { ReadLimits } from "../../../kernel/calls/core.ts";
import { CallerGone, Refusal } from "../../../kernel/errors/refusal.ts";

const none = Buffer.alloc(0);

/**
 * The whole body; empty if there is none. Its time is bounded by the server, which ends requests that are not complete
 * within its request timeout.
 * Throws `payload_too_large`, `unavailable` (no room for it), `malformed_request` (shorter than declared), CallerGone.
 */
export function readBody(
  request: IncomingMessage,
  { maxBytes, sender }: ReadLimits,
  budget: BodyBudget,
): Promise<Buffer> {
  const declared = request.headers["content-length"];
  if (declared !== undefined && Number(declared) > maxBytes) return Promise.reject(tooLarge(maxBytes));
  if (declared === "0" || (declared === undefined && request.headers["transfer-encoding"] === undefined)) {
    return Promise.resolve(none);
  }
  // It may have left while it was being found out who it is.
  if (request.destroyed) return Promise.reject(callerGone());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let held = 0;
    const end = () => {
      arriving.end();
      request.off("data", add).off("end", finish).off("close", gone);
    };
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    const arriving = budget.open(sender, fail);
    const add = (chunk: Buffer) => {
      held += chunk.length;
      if (held > maxBytes) return fail(tooLarge(maxBytes));
      chunks.push(chunk);
      arriving.add(chunk.length);
    };
    const finish = () => {
      end();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    };
    const gone = () => fail(callerGone());
    request.on("data", add).once("end", finish).once("close", gone);
  });
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal("payload_too_large", `The body of this request has at most ${maxBytes} bytes.`);
}

function callerGone(): CallerGone {
  return new CallerGone("the caller left before its request had arrived");
}

/** The coding that the caller prefers. @param supported the service's own preference first */
export function preferredCoding<T extends string>(request: FastifyRequest, supported: readonly T[]): T | "identity" {
  const header = request.headers["accept-encoding"];
  if (header === undefined) return "identity";
  return (new Negotiator({ supportedValues: [...supported] }).negotiate(String(header)) as T | null) ?? "identity";
}
