import { fastify } from "fastify";
import { expect, test } from "vitest";
import { operationOf } from "../../src/gateway/rest/operations.ts";
import { addRoute, type Serve } from "../../src/gateway/rest/transcode.ts";

// Fastify says nothing of an error once the response is sent, and V8 takes longer to word it than the route takes.
test.each<[string, Serve, string]>([
  ["sends its response itself", async (_, reply) => reply.send("sent"), "sent"],
  ["gives the JSON of its response", async () => ({ given: true }), '{"given":true}'],
])("a route that %s throws nothing on the way", async (_, serve, body) => {
  const app = fastify();
  const errors: unknown[] = [];
  app.addHook("onRoute", (route) => {
    const onRequest = route.onRequest as unknown as (...args: unknown[]) => Promise<unknown>;
    route.onRequest = (...args: unknown[]) =>
      onRequest(...args).catch((error: unknown) => {
        errors.push(error);
      });
  });
  addRoute(app, operationOf("getSession"), serve);
  const response = await app.inject("/v1/values-bridge/sessions/any");
  expect(response.body).toBe(body);
  expect(errors).toEqual([]);
  await app.close();
});
