// The HTTP port alone, before a core that a test gives it or before none.
import { createGateway, type GatewayOptions } from "../../../src/gateway/gateway.ts";
import { createConnectionMemory } from "../../../src/kernel/calls/connections.ts";
import { ArrivingMessages } from "../../../src/kernel/limits/memory.ts";

/** Not yet listening. */
export function barePort(options: Pick<GatewayOptions, "receiveTimeoutMs"> & Partial<GatewayOptions>) {
  return createGateway({
    core: undefined,
    bodies: new ArrivingMessages(),
    publicUrl: () => "http://service.example",
    trustedProxies: [],
    connectionMemory: createConnectionMemory(),
    leaving: new AbortController().signal,
    stopping: new AbortController().signal,
    requestObserver: () => undefined,
    reportDefect: () => undefined,
    scopes: [],
    readiness: async () => ({ isReady: true }),
    metrics: undefined,
    metricsToken: undefined,
    ...options,
  });
}
