// Routes of deprecated rpcs say so in every response, and in the OpenAPI document.
import type { DescMethodUnary } from "@bufbuild/protobuf";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Deprecation, type Deprecations, deprecationHeaders } from "../../kernel/rpc-options/deprecations.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The rpc of an operation's route. */
    rpc?: DescMethodUnary;
  }
}

/** Adds their headers to every route that is added after this. Routes of other rpcs stay as they are. */
export function addDeprecationHeaders(app: FastifyInstance, deprecations: Deprecations, publicUrl: () => string): void {
  const headersOf = deprecationHeaders(deprecations, publicUrl);
  app.addHook("onRoute", (route) => {
    const { rpc } = route.config ?? {};
    const deprecation = rpc && deprecations(rpc);
    const headers = rpc && headersOf(rpc);
    if (deprecation === undefined || headers === undefined) return;
    const addHeaders = async (_request: FastifyRequest, reply: FastifyReply) => void reply.headers(headers());
    route.onRequest = [addHeaders, ...[route.onRequest ?? []].flat()];
    const description = [route.schema?.description, inWords(deprecation)].filter((text) => text !== undefined);
    route.schema = { ...route.schema, deprecated: true, description: description.join("\n\n") };
  });
}

function inWords({ since, sunset, instead }: Deprecation): string {
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return `Deprecated since ${day(since)}; it may be gone from ${day(sunset)} on. ${instead}`;
}
