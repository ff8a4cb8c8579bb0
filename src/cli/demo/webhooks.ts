// The webhooks of the demo's own session: an endpoint on this machine, for as long as the demo runs.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { fastify } from "fastify";
import type { RestClient } from "./rest-client.ts";

const endpoints = "/v1/webhook-endpoints";
const lastType = "session.scored";
const types = ["session.completed", lastType];
const patienceMs = 15_000;
const lookIntervalMs = 50;
const maxAgeSeconds = 300;
const maxBodyBytes = 64 * 1024;
const hint =
  "No webhooks: the service sends none to this machine unless WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8 is set where it runs";
const tooLate = "no webhook came; GET /v1/webhook-endpoints/{endpointId}/attempts tells what was tried";

interface CreatedEndpoint {
  readonly endpoint: { readonly endpointId: string };
  readonly secret: string;
}

/**
 * Runs the work, and waits for the webhooks that it causes.
 * @param work returns the id of the session
 * @param onBody notified of each body on arrival
 * @returns the bodies received, with verified signatures; none if the service sends nothing to this machine
 */
export async function receiveWebhooks(
  rest: RestClient,
  say: (line: string) => void,
  work: () => Promise<string>,
  onBody: (body: string) => void = () => undefined,
): Promise<readonly string[]> {
  const bodies: string[] = [];
  const scored = new Set<string>();
  const secret = Promise.withResolvers<string>();
  await using receiver = await openReceiver(
    () => secret.promise,
    ({ type, data }, body) => {
      bodies.push(body);
      onBody(body);
      if (type === lastType) scored.add(data.sessionId);
    },
  );
  const endpoint = { url: receiver.url, types, description: "pas demo" };
  const created = await rest.post<CreatedEndpoint>(endpoints, endpoint).catch((error) => {
    if (error instanceof Error && error.message.includes('"not_https"')) return undefined;
    throw error;
  });
  if (created === undefined) {
    say(hint);
    await work();
    return [];
  }
  secret.resolve(created.secret);
  try {
    const sessionId = await work();
    for (const endsAt = performance.now() + patienceMs; !scored.has(sessionId); await pause(lookIntervalMs)) {
      if (performance.now() >= endsAt) throw new Error(tooLate);
    }
    return bodies;
  } finally {
    await rest.delete(`${endpoints}/${created.endpoint.endpointId}`);
  }
}

/** The part of an event that the demo reads. */
interface DemoEvent {
  readonly type: string;
  readonly data: { readonly sessionId: string };
}

/**
 * Listens on a free port of this machine. Requests without a valid signature are answered with 401.
 * @param secret returns the endpoint's, `whsec_` and base64, once it is known
 * @param listener notified of each event, with the body that it came in
 */
export async function openReceiver(
  secret: () => Promise<string>,
  listener: (event: DemoEvent, body: string) => void,
): Promise<AsyncDisposable & { readonly url: string }> {
  const app = fastify({ bodyLimit: maxBodyBytes, forceCloseConnections: true });
  // The signature covers the text as it arrived.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.post("/webhooks", async ({ headers, body }, reply) => {
    const text = String(body);
    if (!isSigned(headers, text, await secret())) return reply.code(401).send();
    listener(JSON.parse(text), text);
    return reply.code(204).send();
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return { url: `${url}/webhooks`, [Symbol.asyncDispose]: () => app.close() };
}

/** Whether it was signed with the secret, recently: https://www.standardwebhooks.com */
function isSigned(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= maxAgeSeconds)) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  const candidates = String(signatures)
    .split(" ")
    .map((each) => Buffer.from(each.replace("v1,", ""), "base64"));
  return candidates.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
}
