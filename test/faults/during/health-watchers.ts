// Watchers of health while the service stops.
import * as grpc from "@grpc/grpc-js";
import { service as health } from "grpc-health-check";
import { expect } from "vitest";
import type { ServiceProcess } from "../support/service/service.ts";

/** Has the service end while its health is watched, and starts it again. */
export async function endWithWatchers(service: ServiceProcess): Promise<void> {
  const watched = watchHealth(service.grpcAddress);
  await watched.serving;
  expect(await service.end("SIGTERM")).toBe(0);
  expect(await watched.ended).toEqual({ statuses: ["SERVING", "NOT_SERVING"], code: grpc.status.UNAVAILABLE });
  await service.start();
}

/** Watches the health of the service until the stream ends; tells every status that came, and how it ended. */
function watchHealth(address: string) {
  const client = new grpc.Client(address, grpc.credentials.createInsecure());
  const { path, requestSerialize, responseDeserialize } = health.Watch as grpc.MethodDefinition<
    object,
    { status: string }
  >;
  const call = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { service: "" });
  const statuses: string[] = [];
  const { promise: serving, resolve } = Promise.withResolvers<void>();
  const outcome = new Promise<{ statuses: string[]; code: number }>((end) => {
    call.on("data", ({ status }: { status: string }) => {
      statuses.push(status);
      if (status === "SERVING") resolve();
    });
    call.on("error", () => undefined);
    call.on("status", ({ code }: grpc.StatusObject) => {
      client.close();
      end({ statuses, code });
    });
  });
  return { serving, ended: outcome };
}
