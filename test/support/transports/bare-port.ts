// The HTTP port alone, before a core that a test gives it or before none.
import { createGateway, type GatewayOptions } from "../../../src/gateway/gateway.ts";
import { BodyBudget } from "../../../src/kernel/limits/budget.ts";

/** Not yet listening. */
export function barePort(options: Pick<GatewayOptions, "receiveTimeoutMs"> & Partial<GatewayOptions>) {
  return createGateway({
    core: undefined,
    budget: new BodyBudget(),
    publicUrl: () => "http://service.example",
    trustedProxies: [],
    requestObserver: () => undefined,
    reportDefect: () => undefined,
    scopes: [],
    readiness: async () => ({ isReady: true }),
    metrics: undefined,
    metricsToken: undefined,
    ...options,
  });
}
