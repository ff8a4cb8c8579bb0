// The OpenAPI document, as a service writes it that runs at the default address.
import type { OpenAPIV3_1 } from "openapi-types";
import { partnerScopeMeanings } from "../../../src/domain/identity/scopes.ts";
import { createGateway } from "../../../src/gateway/gateway.ts";
import type { Core } from "../../../src/kernel/calls/core.ts";
import { BodyBudget } from "../../../src/kernel/limits/budget.ts";
import { deprecationOf } from "../../../src/kernel/rpc-options.ts";

/** The document, from a gateway that serves nothing else. */
export async function openApiDocument(): Promise<OpenAPIV3_1.Document> {
  const http = createGateway({
    core: {} as Core,
    budget: new BodyBudget(),
    publicUrl: () => "http://127.0.0.1:8080",
    receiveTimeoutMs: 10_000,
    trustedProxies: [],
    requestObserver: () => undefined,
    reportDefect: () => undefined,
    scopes: partnerScopeMeanings,
    deprecations: deprecationOf,
    readiness: async () => ({ isReady: true }),
    metrics: undefined,
    metricsToken: undefined,
  });
  const response = await http.inject({ url: "/openapi.json", headers: { host: "127.0.0.1" } });
  await http.close();
  return response.json();
}
