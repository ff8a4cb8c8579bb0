// The REST door as a partner calls it.
import type { As, Door, Fault, Outcome } from "./doors.ts";
import type { Exchange } from "./openapi.ts";

interface ProblemBody {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly Fault[];
}

/** A client of the REST door. @param check sees every answer, and throws where it is not as it should be */
export function restDoor(httpUrl: string, check: (exchange: Exchange) => void = () => undefined): Door {
  const at = (as: As, path: string) => `${httpUrl}/v1/${encodeURIComponent(as.product ?? "values-bridge")}${path}`;
  const send = async <T>(
    as: As,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Outcome<T> & { replayed?: boolean }> => {
    const headers: Record<string, string> = {};
    if (as.token !== undefined) headers.authorization = `Bearer ${as.token}`;
    if (as.partnerId !== undefined) headers["partner-id"] = as.partnerId;
    if (as.idempotencyKey !== undefined) headers["idempotency-key"] = as.idempotencyKey;
    if (body !== undefined) headers["content-type"] = "application/json";
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(at(as, path), init);
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
    getSession: (as, id) => send(as, "GET", `/sessions/${encodeURIComponent(id)}`),
    recordAnswers: (as, id, answers) => send(as, "POST", `/sessions/${encodeURIComponent(id)}/answers`, { answers }),
    completeSession: (as, id, answers) =>
      send(as, "POST", `/sessions/${encodeURIComponent(id)}/complete`, answers && { answers }),
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
    eraseSubject: (as, externalId) => send(as, "DELETE", `/subjects/${encodeURIComponent(externalId)}`),
    getAssessment: (as, version) =>
      send(as, "GET", version === undefined ? "/assessment" : `/assessment?version=${version}`),
    close: () => undefined,
  };
}

function outcomeOf<T>(response: Response, text: string): Outcome<T> & { replayed?: boolean } {
  if (response.ok) {
    const replayed = response.headers.get("idempotent-replayed") === "true";
    return { ok: true, body: (text === "" ? undefined : JSON.parse(text)) as T, replayed };
  }
  const { code, detail, errors = [] } = JSON.parse(text) as ProblemBody;
  const retryAfter = response.headers.get("retry-after");
  return {
    ok: false,
    code,
    detail,
    faults: errors.map((fault) => ({ pointer: fault.pointer, code: fault.code })),
    retryAfterSeconds: retryAfter === null ? undefined : Number(retryAfter),
  };
}
