// A service with a partner that invites people, and a gRPC client that calls it as their pages do.
import { afterAll } from "vitest";
import { startTestApp } from "../support/app.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { GrpcClient } from "../support/transports/grpc-client.ts";

/** The same for all tests of a file, ended after them. */
export async function peopleOfFile() {
  const people = await startWithPeople();
  afterAll(people.stop);
  return people;
}

/** Starts the service, on a database of its own. */
export async function startWithPeople(environment: Record<string, string> = {}) {
  const app = await startTestApp(environment);
  const partner = await addHostedPartner(app);
  const client = new GrpcClient(app.grpcAddress);
  /** Ends them. */
  const stop = async () => {
    client.close();
    await app.stop();
  };
  return { app, partner, client, stop };
}
