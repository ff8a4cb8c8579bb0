// The webhooks of the demo's own session: an endpoint on this machine, for as long as the demo runs.
import { setTimeout as pause } from "node:timers/promises";
import { openReceiver } from "./demo-receiver.ts";
import { type RestClient, RestRefusal } from "./rest-client.ts";

const endpoints = "/v1/webhook-endpoints";
const lastType = "session.scored";
const types = ["session.completed", lastType];
const patienceMs = 15_000;
const lookIntervalMs = 50;
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
 * @param seen notified of each body on arrival
 * @returns the bodies received, with verified signatures; none if the service sends nothing to this machine
 */
export async function receiveWebhooks(
  rest: RestClient,
  say: (line: string) => void,
  work: () => Promise<string>,
  seen: (body: string) => void = () => undefined,
): Promise<readonly string[]> {
  const bodies: string[] = [];
  const scored = new Set<string>();
  const secret = Promise.withResolvers<string>();
  await using receiver = await openReceiver(
    () => secret.promise,
    ({ type, data }, body) => {
      bodies.push(body);
      seen(body);
      if (type === lastType) scored.add(data.sessionId);
    },
  );
  const endpoint = { url: receiver.url, types, description: "pas demo" };
  const created = await rest.post<CreatedEndpoint>(endpoints, endpoint).catch((error) => {
    if (error instanceof RestRefusal && error.faults.includes("not_https")) return undefined;
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
