// The route of norms.
import type { FastifyInstance } from "fastify";
import type { CoreClient } from "../core/client.ts";
import { toNorms } from "../json/norms.ts";
import { operations } from "../openapi/operations.ts";
import { productOf } from "./parts/path-params.ts";
import { textOf, versionOf } from "./parts/query.ts";
import { addRoute } from "./parts/route.ts";

/** Adds the route of norms. */
export function addNormRoutes(app: FastifyInstance, client: CoreClient): void {
  const { getNorms } = operations;
  addRoute(app, getNorms, async (request, reply) => {
    const found = await client.call(getNorms.rpc, request, reply, () => {
      const language = textOf(request, "language");
      const base = { product: productOf(request), ...versionOf(request) };
      return language === undefined ? base : { ...base, language };
    });
    return toNorms(found);
  });
}
