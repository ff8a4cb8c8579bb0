// 405 with Allow for paths that exist for other methods.
import type { FastifyInstance, FastifyPluginAsync, HTTPMethods } from "fastify";
import { methodNotAllowedError } from "./problem.ts";

/**
 * Collects the routes that are added from now on.
 * @returns a plugin to register last: it answers 405 on every collected path, for the methods that it has no route for
 */
export function collectMethods(app: FastifyInstance): FastifyPluginAsync {
  const methodsByUrl = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    // The route of preflights matches every path.
    if (method === "OPTIONS") return;
    const methods = methodsByUrl.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    methodsByUrl.set(url, methods);
  });
  return async (scope) => {
    for (const [url, methods] of [...methodsByUrl]) {
      const isUnrouted = (method: string) => !scope.hasRoute({ url, method: method as HTTPMethods });
      const otherMethods = scope.supportedMethods.filter(isUnrouted) as HTTPMethods[];
      const allow = [...methods].sort();
      scope.route({
        method: otherMethods,
        url,
        onRequest: async ({ params }, reply) => {
          // The router matches an empty parameter.
          if (Object.values(params as Record<string, string>).includes("")) return reply.callNotFound();
          throw methodNotAllowedError(allow);
        },
        handler: async () => undefined,
      });
    }
  };
}
