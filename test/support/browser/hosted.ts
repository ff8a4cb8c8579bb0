// Hosted sessions as partners make them, and the place where their people arrive afterwards.
import { createServer } from "node:http";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { AssessmentService } from "../../../src/gen/assessment/v1/assessment_service_pb.ts";
import type { BrandingSchema } from "../../../src/gen/assessment/v1/branding_pb.ts";
import { PartnerService } from "../../../src/gen/assessment/v1/partner_service_pb.ts";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { addCaller, type TestApp } from "../app.ts";
import { listenOnLoopback } from "../processes/loopback.ts";
import { bearer, type GrpcCallOptions, GrpcClient } from "../transports/grpc-client.ts";
import type { AssessmentBody, CreatedBody, ResultsBody } from "../transports/transports.ts";

export interface HostedSession {
  readonly sessionId: string;
  readonly hostedUrl: string;
}

export type TestPartner = Awaited<ReturnType<typeof addHostedPartner>>;

const sessions = "/v1/values-bridge/sessions";

/** A partner with a site of its own. @param caller a new partner unless given */
export async function addHostedPartner(app: TestApp, caller?: { readonly partnerId: string; readonly token: string }) {
  const { partnerId, token } = caller ?? (await addCaller(app));
  const arrivals: URL[] = [];
  const site = createServer((request, response) => {
    arrivals.push(new URL(request.url ?? "", "http://partner.test"));
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end("<!doctype html><title>Partner</title><h1>Welcome back at the partner</h1>");
  });
  const port = await listenOnLoopback(site.unref());
  const returnUrl = `http://127.0.0.1:${port}/done?order=42`;

  const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(app.httpUrl + path, init);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  const asAdmin = async <T>(call: (client: GrpcClient, options: GrpcCallOptions) => Promise<T>): Promise<T> => {
    const client = new GrpcClient(app.grpcAddress);
    const admin = await app.addClient(await app.addPartner({ internal: true }), ["admin"]);
    try {
      return await call(client, bearer(await app.tokenOf(admin)));
    } finally {
      client.close();
    }
  };
  const questionIds = async () => {
    const { questions } = await send<AssessmentBody>("GET", "/v1/values-bridge/assessment");
    return questions.map(({ id }) => id);
  };
  return {
    partnerId,
    /** An access token with all partner scopes. */
    token,
    /** Where people of the partner arrive; answers every request with a short page. */
    returnUrl,
    /** The requests that arrived there, as URLs. */
    arrivals: arrivals as readonly URL[],
    createHosted: (changes: Record<string, unknown> = {}) =>
      send<HostedSession>("POST", sessions, { mode: "hosted", redirectUrl: returnUrl, ...changes }),
    /** A code to join a new group of that form. */
    async createJoinCode({ form, ...input }: Record<string, unknown>) {
      const groups = "/v1/values-bridge/groups";
      const { groupId } = await send<{ groupId: string }>("POST", groups, { label: "Team", form });
      const body = { maxSessions: 10, redirectUrl: returnUrl, ...input };
      return send<{ url: string }>("POST", `${groups}/${groupId}/join-code`, body);
    },
    createHeadless: () => send<CreatedBody>("POST", sessions, {}),
    /** A headless session that is completed with all answers; gives its id. @param kind others have other answers */
    async createScored(kind = 0, changes: Record<string, unknown> = {}) {
      const { sessionId, assessment } = await send<CreatedBody>("POST", sessions, changes);
      const ratings = (assessment?.questions ?? []).map(({ id }, index): [number, number] => [
        id,
        1 + ((index * 5 + Math.trunc(index / (7 + kind))) % 7),
      ]);
      await send("POST", `${sessions}/${sessionId}/complete`, { answers: toItems(new Map(ratings)) });
      return sessionId;
    },
    /** Makes a link to the report on a session; gives its address. */
    async shareReport(sessionId: string, options: { readonly locale?: string; readonly name?: string } = {}) {
      const path = `${sessions}/${sessionId}/report-links`;
      return (await send<{ reportUrl: string }>("POST", path, options)).reportUrl;
    },
    /** Ends all links to the report on a session. */
    async revokeReports(sessionId: string) {
      const url = `${app.httpUrl}${sessions}/${sessionId}/report-links`;
      const { status } = await fetch(url, { method: "DELETE", headers: { authorization: `Bearer ${token}` } });
      if (status !== 204) throw new Error(`revoking was answered ${status}`);
    },
    /** Makes a new link for a hosted session; gives its address. */
    newLink: async (sessionId: string) =>
      (await send<{ hostedUrl: string }>("POST", `${sessions}/${sessionId}/links`)).hostedUrl,
    /** Answers questions over REST, by position. */
    async record(sessionId: string, first: number, last: number) {
      const ids = (await questionIds()).slice(first - 1, last);
      const answers = toItems(new Map(ids.map((id) => [id, 1 + (id % 5)])));
      await send("POST", `${sessions}/${sessionId}/answers`, { answers });
    },
    /** Makes all links of a session as old as links can be. */
    async expireLinks(sessionId: string) {
      const bytes = Buffer.from(sessionId.replaceAll("-", ""), "hex");
      const sql = "UPDATE hosted_links SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE WHERE session_id = ?";
      await app.database.connection.query(sql, [bytes]);
    },
    async deleteAnswers(sessionId: string) {
      const bytes = Buffer.from(sessionId.replaceAll("-", ""), "hex");
      const sql = "UPDATE sessions SET answers = '', answers_deleted_at = NOW(3) WHERE id = ?";
      await app.database.connection.query(sql, [bytes]);
    },
    async deleteResults(sessionId: string) {
      const bytes = Buffer.from(sessionId.replaceAll("-", ""), "hex");
      const sql = "UPDATE sessions SET results = '', results_deleted_at = NOW(3) WHERE id = ?";
      await app.database.connection.query(sql, [bytes]);
    },
    cancel: (sessionId: string) => send("POST", `${sessions}/${sessionId}/cancel`),
    async erase(externalId: string) {
      const url = `${app.httpUrl}/v1/values-bridge/subjects/${encodeURIComponent(externalId)}`;
      const { status } = await fetch(url, { method: "DELETE", headers: { authorization: `Bearer ${token}` } });
      if (status !== 204) throw new Error(`erasing was answered ${status}`);
    },
    async brand(branding: MessageInitShape<typeof BrandingSchema>) {
      const rpc = PartnerService.method.updateBranding;
      await asAdmin((client, options) => client.unary(rpc, { partnerId, branding }, options));
    },
    /** Publishes another version for all partners. */
    async publish(definition: Definition) {
      const rpc = AssessmentService.method.publishAssessment;
      await asAdmin((client, options) => client.unary(rpc, { definition: JSON.stringify(definition) }, options));
    },
    /** Completes a session over REST. */
    async complete(sessionId: string, answers: ReadonlyMap<number, number>) {
      await send("POST", `${sessions}/${sessionId}/complete`, { answers: toItems(answers) });
    },
    resultsOf: async (sessionId: string) =>
      (await send<{ results: ResultsBody }>("GET", `${sessions}/${sessionId}/results`)).results,
    statusOf: async (sessionId: string) => (await send<{ status: string }>("GET", `${sessions}/${sessionId}`)).status,
  };
}

function toItems(answers: ReadonlyMap<number, number>) {
  return [...answers].map(([questionId, value]) => ({ questionId, response: { type: "likert", value } }));
}
