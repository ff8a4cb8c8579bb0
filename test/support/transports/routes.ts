// The routes that a service really has, told by Fastify itself: none can be forgotten.
import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { FastifyInstance } from "fastify";
import { createPersonSecret, createSecret } from "../../../src/domain/identity/secrets.ts";

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
      // Rpcs are registered for all methods. Other routes of many methods refuse them, before anything is looked at.
      if (typeof method === "string") routes.push({ method, url });
      else if (isRpc(url)) routes.push({ method: "POST", url });
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

function isRpc(url: string): boolean {
  return /^\/assessment\.v1\.\w+\/\w+$/.test(url);
}

/** A request of nobody known. */
interface StrangersRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * A request that could be right: what it names is well formed, new each time, and must be looked up to be refused.
 * @param writeSecret how its secrets are sent: made-up ones have another end
 */
export function strangersRequest({ method, url }: Route, writeSecret = (secret: string) => secret): StrangersRequest {
  const id = crypto.randomUUID();
  const isReport = url.startsWith("/reports");
  const values: Readonly<Record<string, string>> = {
    product: "values-bridge",
    linkToken: writeSecret(createPersonSecret(isReport ? "reportLink" : "hostedLink", randomBytes, id)),
    code: "not_found",
    joinCode: "0000-0000-0000",
    page: "1",
    "*": "",
  };
  const path = url.replace(/:(\w+)|\*/g, (parameter, name?: string) => values[name ?? parameter] ?? id);
  const kind = isReport ? "reportBrowserSession" : "hostedBrowserSession";
  const browserSession = writeSecret(createPersonSecret(kind, randomBytes, id));
  const credentials = { clientId: id, clientSecret: writeSecret(createSecret("clientSecret", randomBytes)) };
  const form = { grant_type: "client_credentials", client_id: id, client_secret: credentials.clientSecret, token: "a" };
  const isForm = url.startsWith("/oauth") || /^\/(hosted|join)/.test(url);
  const headers: Record<string, string> = {
    cookie: `pas-hosted-${id}=${browserSession}; pas-report-${id}=${browserSession}`,
  };
  const bearer = /HostedService/.test(url) ? browserSession : writeSecret(createSecret("accessToken", randomBytes));
  if (url.startsWith("/v1") || url.startsWith("/assessment.v1")) headers.authorization = `Bearer ${bearer}`;
  if (["GET", "HEAD"].includes(method)) return { method, path, headers, body: "" };
  headers["content-type"] = isForm ? "application/x-www-form-urlencoded" : "application/json";
  const message = /(Issue|Revoke)Token$/.test(url)
    ? credentials
    : /Exchange/.test(url)
      ? { linkToken: values.linkToken }
      : /(OpenJoinCode|JoinGroup)$/.test(url)
        ? { code: values.joinCode, browserToken: "b".repeat(43), ...(url.endsWith("JoinGroup") && { locale: "en" }) }
        : {};
  return { method, path, headers, body: isForm ? new URLSearchParams(form).toString() : JSON.stringify(message) };
}
