// The REST transport as a partner calls it.

import { groupRequest } from "../groups/group-calls.ts";
import type { Exchange } from "../openapi.ts";
import { webhookRequest } from "../webhooks/webhook-calls.ts";
import type {
  As,
  EventsInput,
  Fault,
  Outcome,
  RenderedBody,
  ReportInput,
  ReportTarget,
  SessionListInput,
  Transport,
} from "./transports.ts";

interface ProblemBody {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly Fault[];
  readonly [fact: string]: unknown;
}

/** Members of every problem; all others are facts. */
const standardMembers = new Set(["type", "title", "status", "requestId", "errorsTruncated"]);

/** A client of the REST transport. @param check sees every answer, and throws where it is not as it should be */
export function restTransport(httpUrl: string, check: (exchange: Exchange) => void = () => undefined): Transport {
  const at = (as: As, path: string) => `${httpUrl}/v1/${encodeURIComponent(as.product ?? "values-bridge")}${path}`;
  const headersOf = (as: As): Record<string, string> => ({
    ...(as.token === undefined ? {} : { authorization: `Bearer ${as.token}` }),
    ...(as.partnerId === undefined ? {} : { "partner-id": as.partnerId }),
    ...(as.idempotencyKey === undefined ? {} : { "idempotency-key": as.idempotencyKey }),
  });
  const render = async (as: As, reportPath: string, input: ReportInput): Promise<Outcome<RenderedBody>> => {
    const { languages, knownEntityTag, ...query } = input;
    const headers = headersOf(as);
    if (languages !== undefined) headers["accept-language"] = languages.join(", ");
    if (knownEntityTag !== undefined) headers["if-none-match"] = knownEntityTag;
    // The tag of packed bytes is another one, which the cases of this transport alone look at.
    headers["accept-encoding"] = "identity";
    const response = await fetch(at(as, `${reportPath}?${new URLSearchParams(query)}`), { headers });
    const body = Buffer.from(await response.arrayBuffer());
    const { status, headers: answered } = response;
    const contentType = answered.get("content-type");
    check({ method: "GET", path: new URL(response.url).pathname, status, contentType, body: body.toString() });
    if (status >= 400) return outcomeOf(response, body.toString());
    const rendered = {
      mediaType: (contentType ?? "").replace("json; charset=utf-8", "json"),
      body,
      entityTag: answered.get("etag") ?? "",
      fileName: /filename="(.*)"/.exec(answered.get("content-disposition") ?? "")?.[1] ?? "",
      language: answered.get("content-language") ?? "",
      notModified: status === 304,
    };
    return { ok: true, body: rendered };
  };
  const send = <T>(as: As, method: string, path: string, body?: unknown) => sendTo<T>(as, method, at(as, path), body);
  const sendTo = async <T>(
    as: As,
    method: string,
    url: string,
    body?: unknown,
  ): Promise<Outcome<T> & { replayed?: boolean }> => {
    const headers = headersOf(as);
    if (body !== undefined) headers["content-type"] = "application/json";
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(url, init);
    const answer = await response.text();
    const { status, headers: answered } = response;
    check({
      method,
      path: new URL(response.url).pathname,
      status,
      contentType: answered.get("content-type"),
      body: answer,
    });
    return outcomeOf<T>(response, answer);
  };
  return {
    name: "rest",
    createSession: (as, input) => send(as, "POST", "/sessions", input),
    getSession: (as, id, { includeProgress = false } = {}) =>
      send(as, "GET", `/sessions/${encodeURIComponent(id)}${includeProgress ? "?include=progress" : ""}`),
    listSessions: (as, input = {}) => send(as, "GET", `/sessions${queryOf(input)}`),
    listSubjectSessions: (as, externalId, input = {}) =>
      send(as, "GET", `/subjects/${encodeURIComponent(externalId)}/sessions${queryOf(input)}`),
    recordAnswers: (as, id, answers) => send(as, "POST", `/sessions/${encodeURIComponent(id)}/answers`, { answers }),
    completeSession: (as, id, answers, input) =>
      send(
        as,
        "POST",
        `/sessions/${encodeURIComponent(id)}/complete`,
        (answers || input) && { ...(answers && { answers }), ...input },
      ),
    cancelSession: (as, id, input) => send(as, "POST", `/sessions/${encodeURIComponent(id)}/cancel`, input),
    createSessionLink: (as, id, input) => send(as, "POST", `/sessions/${encodeURIComponent(id)}/links`, input),
    reopenSession: (as, id, input) => send(as, "POST", `/sessions/${encodeURIComponent(id)}/reopen`, input),
    getSessionResults: (as, id, explain) =>
      send(
        as,
        "GET",
        `/sessions/${encodeURIComponent(id)}/results${explain === undefined ? "" : `?explain=${explain}`}`,
      ),
    getLatestResults: (as, externalId) => send(as, "GET", `/subjects/${encodeURIComponent(externalId)}/results`),
    getQuality: (as, id) => send(as, "GET", `/sessions/${encodeURIComponent(id)}/results?quality=true`),
    getLatestQuality: (as, externalId) =>
      send(as, "GET", `/subjects/${encodeURIComponent(externalId)}/results?quality=true`),
    getChange: (as, externalId, between = {}) =>
      send(as, "GET", `/subjects/${encodeURIComponent(externalId)}/change?${new URLSearchParams({ ...between })}`),
    getNorms: (as, { language, version } = {}) => {
      const query = new URLSearchParams();
      if (language !== undefined) query.set("language", language);
      if (version !== undefined) query.set("version", String(version));
      return send(as, "GET", `/norms?${query}`);
    },
    getReport: async (as, target, input = {}) => parsed(await render(as, reportPath(target), input)),
    renderReport: (as, target, input = {}) => render(as, reportPath(target), input),
    getTeamReport: async (as, groupId, input = {}) => parsed(await render(as, teamReportPath(groupId), input)),
    renderTeamReport: (as, groupId, input = {}) => render(as, teamReportPath(groupId), input),
    createReportLink: (as, id, input) => send(as, "POST", `/sessions/${encodeURIComponent(id)}/report-links`, input),
    revokeReportLinks: (as, id) => send(as, "DELETE", `/sessions/${encodeURIComponent(id)}/report-links`),
    eraseSubject: (as, externalId) => send(as, "DELETE", `/subjects/${encodeURIComponent(externalId)}`),
    getAssessment: (as, version) =>
      send(as, "GET", version === undefined ? "/assessment" : `/assessment?version=${version}`),
    listEvents: (as, query) => sendTo(as, "GET", `${httpUrl}/v1/events${queryOf(query)}`),
    async exportSessions(as, { version, ...query }) {
      const search = new URLSearchParams({ ...query, ...(version === undefined ? {} : { version: String(version) }) });
      const response = await fetch(at(as, `/exports/sessions?${search}`), { headers: headersOf(as) });
      const text = await response.text();
      if (!response.ok) return outcomeOf(response, text);
      const lines = text.split("\n").slice(0, -1);
      const sessions = lines.slice(0, -1).map((line) => JSON.parse(line));
      return { ok: true, body: { sessions, ...JSON.parse(lines.at(-1) ?? "") } };
    },
    exportSubject: (as, externalId, query = {}) =>
      send(as, "GET", `/subjects/${encodeURIComponent(externalId)}/export${queryOf(query)}`),
    getCodebook: (as, version) =>
      send(as, "GET", version === undefined ? "/exports/codebook" : `/exports/codebook?version=${version}`),
    listAuditRecords: (as, query) =>
      sendTo(as, "GET", `${httpUrl}/v1/audit?${new URLSearchParams({ ...query, limit: String(query.limit ?? 100) })}`),
    autofillSession: (as, id, persona) =>
      send(as, "POST", `/sessions/${encodeURIComponent(id)}/test/autofill`, { persona }),
    getTestClock: (as) => sendTo(as, "GET", `${httpUrl}/v1/test/clock`),
    setTestClock: (as, now) => sendTo(as, "PUT", `${httpUrl}/v1/test/clock`, { now }),
    webhooks: (as, call, input = {}) => {
      const { method, path, body } = webhookRequest(call, input);
      return sendTo(as, method, httpUrl + path, body);
    },
    groups: (as, call, input = {}) => {
      const { method, path, body } = groupRequest(call, input);
      return send(as, method, path, body);
    },
    close: () => undefined,
  };
}

function parsed<T>(rendered: Outcome<RenderedBody>): Outcome<T> {
  return rendered.ok ? { ok: true, body: JSON.parse(rendered.body.body.toString()) } : rendered;
}

function teamReportPath(groupId: string): string {
  return `/groups/${encodeURIComponent(groupId)}/report`;
}

function reportPath(target: ReportTarget): string {
  return "sessionId" in target
    ? `/sessions/${encodeURIComponent(target.sessionId)}/report`
    : `/subjects/${encodeURIComponent(target.externalId)}/report`;
}

function outcomeOf<T>(response: Response, text: string): Outcome<T> & { replayed?: boolean } {
  if (response.ok) {
    const replayed = response.headers.get("idempotent-replayed") === "true";
    return { ok: true, body: (text === "" ? undefined : JSON.parse(text)) as T, replayed };
  }
  const { code, detail, errors = [], ...others } = JSON.parse(text) as ProblemBody;
  const retryAfter = response.headers.get("retry-after");
  return {
    ok: false,
    code,
    detail,
    faults: errors.map((fault) => ({ pointer: fault.pointer, code: fault.code })),
    retryAfterSeconds: retryAfter === null ? undefined : Number(retryAfter),
    facts: Object.fromEntries(
      Object.entries(others).flatMap(([name, value]) => (standardMembers.has(name) ? [] : [[name, String(value)]])),
    ),
  };
}

function queryOf({ types, includeExternalId, ...others }: EventsInput & SessionListInput): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(others)) query.set(name, String(value));
  if (types !== undefined) query.set("types", types.join(","));
  if (includeExternalId) query.set("include", "externalId");
  return query.size === 0 ? "" : `?${query}`;
}
