// Hosted sessions as partners make them, and the place where their people arrive afterwards.
import { createServer } from "node:http";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { AssessmentService } from "../../../src/gen/assessment/v1/assessment_service_pb.ts";
import type { BrandingSchema } from "../../../src/gen/assessment/v1/branding_pb.ts";
import { PartnerService } from "../../../src/gen/assessment/v1/partner_service_pb.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { answer, bodyOf } from "../../e2e/cases/case.ts";
import { addCaller, addOperator, type TestApp } from "../app.ts";
import { listenOnLoopback } from "../processes/loopback.ts";
import { type GrpcCallOptions, GrpcClient } from "../transports/grpc-client.ts";
import { restTransport } from "../transports/rest-transport.ts";
import type { InputOf } from "../transports/transports.ts";

export interface HostedSession {
  readonly sessionId: string;
  readonly hostedUrl: string;
}

export type TestPartner = Awaited<ReturnType<typeof addHostedPartner>>;

/** A partner with a site of its own. @param caller a new partner unless given */
export async function addHostedPartner(app: TestApp, caller?: { readonly partnerId: string; readonly token: string }) {
  const { partnerId, token } = caller ?? (await addCaller(app));
  const as = { token };
  const transport = restTransport(app.httpUrl);
  const arrivals: URL[] = [];
  const site = createServer((request, response) => {
    arrivals.push(new URL(request.url ?? "", "http://partner.test"));
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end("<!doctype html><title>Partner</title><h1>Welcome back at the partner</h1>");
  });
  const port = await listenOnLoopback(site.unref());
  const returnUrl = `http://127.0.0.1:${port}/done?order=42`;

  const asAdmin = async <T>(call: (client: GrpcClient, options: GrpcCallOptions) => Promise<T>): Promise<T> => {
    using client = new GrpcClient(app.grpcAddress);
    return await call(client, await addOperator(app, "admin"));
  };
  const changeRows = async (sql: string, sessionId: string) => {
    await app.database.connection.query(sql, [uuidToBytes(sessionId)]);
  };
  return {
    partnerId,
    /** An access token with all partner scopes. */
    token,
    /** Where people of the partner arrive; answers every request with a short page. */
    returnUrl,
    /** The requests that arrived there, as URLs. */
    arrivals: arrivals as readonly URL[],
    async createHosted(changes: InputOf<"createSession"> = {}): Promise<HostedSession> {
      const input = { mode: "hosted", redirectUrl: returnUrl, ...changes };
      const { sessionId, hostedUrl = "" } = bodyOf(await transport.createSession(as, input));
      return { sessionId, hostedUrl };
    },
    /** A code to join a new group of that form. */
    async createJoinCode({ form, ...input }: InputOf<"createJoinCode"> & { readonly form?: string }) {
      const { groupId } = bodyOf(await transport.createGroup(as, { label: "Team", form }));
      const terms = { maxSessions: 10, redirectUrl: returnUrl, ...input };
      return bodyOf(await transport.createJoinCode(as, groupId, terms));
    },
    createHeadless: async () => bodyOf(await transport.createSession(as)),
    /** A headless session that is completed with all answers; gives its id. @param kind others have other answers */
    async createScored(kind = 0, changes: InputOf<"createSession"> = {}) {
      const { sessionId, assessment } = bodyOf(await transport.createSession(as, changes));
      const answers = (assessment?.questions ?? []).map(({ id }, index) =>
        answer(id, 1 + ((index * 5 + Math.trunc(index / (7 + kind))) % 7)),
      );
      bodyOf(await transport.completeSession(as, sessionId, { answers }));
      return sessionId;
    },
    /** Makes a link to the report on a session; gives its address. */
    shareReport: async (sessionId: string, options: InputOf<"createReportLink"> = {}) =>
      bodyOf(await transport.createReportLink(as, sessionId, options)).reportUrl,
    /** Ends all links to the report on a session. */
    revokeReports: async (sessionId: string) => bodyOf(await transport.revokeReportLinks(as, sessionId)),
    /** Makes a new link for a hosted session; gives its address. */
    newLink: async (sessionId: string) => bodyOf(await transport.createSessionLink(as, sessionId)).hostedUrl,
    /** Answers questions over REST, by position. */
    async record(sessionId: string, first: number, last: number) {
      const { questions } = bodyOf(await transport.getPublishedAssessment(as));
      const answers = questions.slice(first - 1, last).map(({ id }) => answer(id, 1 + (id % 5)));
      bodyOf(await transport.recordAnswers(as, sessionId, { answers }));
    },
    /** Makes all links of a session as old as links can be. */
    expireLinks: (sessionId: string) =>
      changeRows(
        "UPDATE hosted_links SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE WHERE session_id = ?",
        sessionId,
      ),
    /** Has the time of a session pass. */
    expire: (sessionId: string) =>
      changeRows(
        "UPDATE sessions SET expires_at = NOW(3) - INTERVAL 1 MINUTE, announce_at = expires_at WHERE id = ?",
        sessionId,
      ),
    deleteAnswers: (sessionId: string) =>
      changeRows("UPDATE sessions SET answers = '', answers_deleted_at = NOW(3) WHERE id = ?", sessionId),
    deleteResults: (sessionId: string) =>
      changeRows("UPDATE sessions SET results = '', results_deleted_at = NOW(3) WHERE id = ?", sessionId),
    cancel: async (sessionId: string) => bodyOf(await transport.cancelSession(as, sessionId)),
    erase: async (externalId: string) => bodyOf(await transport.eraseSubject(as, externalId)),
    async brand(branding: MessageInitShape<typeof BrandingSchema>) {
      const rpc = PartnerService.method.updateBranding;
      await asAdmin((client, options) => client.unary(rpc, { partnerId, branding }, options));
    },
    /** Publishes another version for all partners. */
    async publish(definition: Definition) {
      const rpc = AssessmentService.method.publishAssessment;
      await asAdmin((client, options) => client.unary(rpc, { definition: JSON.stringify(definition) }, options));
    },
    /** Completes a session over REST. @param ratings by question */
    async complete(sessionId: string, ratings: ReadonlyMap<number, number>) {
      const answers = [...ratings].map(([id, value]) => answer(id, value));
      bodyOf(await transport.completeSession(as, sessionId, { answers }));
    },
    resultsOf: async (sessionId: string) => bodyOf(await transport.getSessionResults(as, sessionId)).results,
    statusOf: async (sessionId: string) => bodyOf(await transport.getSession(as, sessionId)).status,
  };
}
