// A service with a partner that invites people, and a gRPC client that calls it as their pages do.
import { afterAll } from "vitest";
import { HostedService } from "../../src/gen/assessment/v1/hosted_service_pb.ts";
import { ReportService } from "../../src/gen/assessment/v1/report_service_pb.ts";
import { startTestApp } from "../support/app.ts";
import { addHostedPartner } from "../support/browser/hosted.ts";
import { GrpcClient } from "../support/transports/grpc-client.ts";
import type { InputOf } from "../support/transports/transports.ts";

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
  return {
    app,
    partner,
    client,
    /** Creates a hosted session, and opens it by its link. */
    async openHosted(changes: InputOf<"createSession"> = {}) {
      const session = await partner.createHosted(changes);
      const linkToken = session.hostedUrl.split("/").at(-1) ?? "";
      const { browserSessionToken } = await client.unary(HostedService.method.exchangeLink, { linkToken });
      return { ...session, linkToken, browserSessionToken };
    },
    /** Creates a link to the report on a session, and opens it. */
    async openReport(sessionId: string, link: InputOf<"createReportLink"> = {}) {
      const linkToken = (await partner.shareReport(sessionId, link)).split("/").at(-1) ?? "";
      return { linkToken, ...(await client.unary(ReportService.method.exchangeReportLink, { linkToken })) };
    },
    /** Ends them. */
    async stop() {
      client.close();
      await app.stop();
    },
  };
}
