// What a test file has for all of its tests: opened while the file is loaded, closed after its tests.
import { afterAll } from "vitest";
import { startTestApp, startTestGateway, type TestApp, type TestGateway } from "./app.ts";
import { openTestStores, type TestStores } from "./databases/stores.ts";
import { GrpcClient } from "./transports/grpc-client.ts";
import { type Gateway, type Served, startServed, startServedGateway } from "./transports/served.ts";
import { type DeliveryWorld, openDeliveryWorld } from "./webhooks/delivering.ts";

export async function storesOfFile(): Promise<TestStores> {
  const stores = await openTestStores();
  afterAll(() => stores.close());
  return stores;
}

export async function appOfFile(...options: Parameters<typeof startTestApp>): Promise<TestApp> {
  const app = await startTestApp(...options);
  afterAll(() => app.stop());
  return app;
}

export async function gatewayOfFile(...options: Parameters<typeof startTestGateway>): Promise<TestGateway> {
  const gateway = await startTestGateway(...options);
  afterAll(() => gateway.stop());
  return gateway;
}

export function clientOfFile({ grpcAddress }: Pick<TestApp, "grpcAddress">): GrpcClient {
  const client = new GrpcClient(grpcAddress);
  afterAll(() => client.close());
  return client;
}

export async function worldOfFile(): Promise<DeliveryWorld> {
  const world = await openDeliveryWorld();
  afterAll(() => world.close());
  return world;
}

export async function servedOfFile(...options: Parameters<typeof startServed>): Promise<Served> {
  const service = await startServed(...options);
  afterAll(() => service.stop());
  return service;
}

export async function servedGatewayOfFile(...options: Parameters<typeof startServedGateway>): Promise<Gateway> {
  const gateway = await startServedGateway(...options);
  afterAll(() => gateway.stop());
  return gateway;
}
