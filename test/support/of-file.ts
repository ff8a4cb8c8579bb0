// What a test file has for all of its tests: opened while the file is loaded, closed after its tests.
import { afterAll } from "vitest";
import { startTestApp, startTestGateway } from "./app.ts";
import { closedAt } from "./closing.ts";
import { openTestStores } from "./databases/stores.ts";
import { GrpcClient } from "./transports/grpc-client.ts";
import { startServed, startServedGateway } from "./transports/served.ts";
import { openDeliveryWorld } from "./webhooks/delivering.ts";

export const storesOfFile = closedAt(afterAll, openTestStores);
export const appOfFile = closedAt(afterAll, startTestApp);
export const gatewayOfFile = closedAt(afterAll, startTestGateway);
export const worldOfFile = closedAt(afterAll, openDeliveryWorld);
export const servedOfFile = closedAt(afterAll, startServed);
export const servedGatewayOfFile = closedAt(afterAll, startServedGateway);

export function clientOfFile({ grpcAddress }: { readonly grpcAddress: string }): GrpcClient {
  const client = new GrpcClient(grpcAddress);
  afterAll(() => client.close());
  return client;
}
