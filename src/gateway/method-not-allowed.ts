// 405 with Allow for paths that exist for other methods.
import type { FastifyInstance, HTTPMethods } from "fastify";
import { Problem } from "./problem.ts";

/** Adds, for every path that gets routes after this call, an answer to all methods that it has no route for. */
export function answerOtherMethods(app: FastifyInstance): void {
  const methodsByUrl = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const methods = methodsByUrl.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    methodsByUrl.set(url, methods);
  });
  app.addHook("onReady", async () => {
    for (const [url, allowed] of [...methodsByUrl]) {
      const others = app.supportedMethods.filter((method) => !allowed.has(method)) as HTTPMethods[];
      if (others.length === 0) continue;
      const allow = [...allowed].sort().join(", ");
      app.route({
        method: others,
        url,
        handler: async () => {
          throw new Problem("method_not_allowed", `Allowed here: ${allow}.`, { headers: { allow } });
        },
      });
    }
  });
}
