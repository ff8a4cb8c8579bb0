// The content coding of a response.
import { Negotiator } from "@fastify/accept-negotiator";
import type { FastifyRequest } from "fastify";

/** The coding that the caller prefers. @param supported the service's own preference first */
export function preferredCoding<T extends string>(request: FastifyRequest, supported: readonly T[]): T | "identity" {
  const header = request.headers["accept-encoding"];
  if (header === undefined) return "identity";
  return (new Negotiator({ supportedValues: [...supported] }).negotiate(String(header)) as T | null) ?? "identity";
}
