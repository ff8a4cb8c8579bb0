// The webhooks of the demo's own session: an endpoint on this machine, for as long as the demo runs.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { fastify } from "fastify";

const maxAgeSeconds = 300;
const maxBodyBytes = 64 * 1024;

/**
 * Listens on a free port of this machine. Requests without a valid signature are answered with 401.
 * @param secret returns the endpoint's, `whsec_` and base64, once it is known
 * @param listener notified of each body
 */
export async function openReceiver(
  secret: () => Promise<string>,
  listener: (body: string) => void,
): Promise<AsyncDisposable & { readonly url: string }> {
  const app = fastify({ bodyLimit: maxBodyBytes, forceCloseConnections: true });
  // The signature covers the text as it arrived.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.post("/webhooks", async ({ headers, body }, reply) => {
    const text = String(body);
    if (!isSigned(headers, text, await secret())) return reply.code(401).send();
    listener(text);
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
  const candidates = String(signatures).split(" ");
  return candidates.some((each) => {
    const signature = Buffer.from(each.replace("v1,", ""), "base64");
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}
