// The routes that a service really has, told by Fastify itself: none can be forgotten.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";

export interface Route {
  readonly method: string;
  /** With its parameters, for example `/v1/:product/assessment`. */
  readonly url: string;
}

const initialised = "fastify.initialization";

/** The routes of the HTTP servers that are started meanwhile in this process, one for each method that is served. */
export async function routesOf(start: () => Promise<{ stop(): Promise<void> }>): Promise<readonly Route[]> {
  const routes: Route[] = [];
  const listen = (message: unknown) => {
    const { fastify } = message as { readonly fastify: FastifyInstance };
    fastify.addHook("onRoute", ({ method, url }) => {
      // Routes of many methods are those that refuse them.
      for (const each of [method].flat().slice(0, 1)) routes.push({ method: each, url });
    });
  };
  subscribe(initialised, listen);
  try {
    await (await start()).stop();
  } finally {
    unsubscribe(initialised, listen);
  }
  return routes;
}
