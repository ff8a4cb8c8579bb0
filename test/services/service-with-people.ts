// A service with a partner that invites people, and a gRPC client that calls it as their pages do.
import { afterAll } from "vitest";
import { startTestApp, type TestApp } from "../support/app.ts";
import { addHostedPartner, type TestPartner } from "../support/browser/hosted.ts";
import { GrpcClient } from "../support/transports/grpc-client.ts";

export interface ServiceWithPeople {
  readonly app: TestApp;
  readonly partner: TestPartner;
  readonly client: GrpcClient;
  /** Ends all three. */
  readonly stop: () => Promise<void>;
}

/** The same for all tests of a file, ended after them. */
export async function peopleOfFile(): Promise<ServiceWithPeople> {
  const people = await startWithPeople();
  afterAll(people.stop);
  return people;
}

/** Starts the service, on a database of its own. */
export async function startWithPeople(environment: Record<string, string> = {}): Promise<ServiceWithPeople> {
  const app = await startTestApp(environment);
  const partner = await addHostedPartner(app);
  const client = new GrpcClient(app.grpcAddress);
  const stop = async () => {
    client.close();
    await partner.close();
    await app.stop();
  };
  return { app, partner, client, stop };
}
