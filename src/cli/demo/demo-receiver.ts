// The demo's own receiver of webhooks: what a partner's backend does with one.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const maxAgeSeconds = 300;
const maxBodyBytes = 64 * 1024;

/** What the demo looks at in an event. */
export interface DemoEvent {
  readonly type: string;
  readonly data: { readonly sessionId: string };
}

export interface DemoReceiver extends AsyncDisposable {
  readonly url: string;
}

/**
 * Listens on a free port of this machine. What the service did not sign is answered with 401.
 * @param secret gives the endpoint's, `whsec_` and base64, once it is known
 * @param listener notified of each event, with the body that it came in
 */
export async function openReceiver(
  secret: () => Promise<string>,
  listener: (event: DemoEvent, body: string) => void,
): Promise<DemoReceiver> {
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) return request.destroy();
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks).toString();
    if (!isSigned(request.headers, body, await secret())) return response.writeHead(401).end();
    response.writeHead(204).end();
    listener(JSON.parse(body), body);
  };
  // Whoever leaves before its request has arrived is no trouble of the demo.
  const server = createServer((request, response) => receive(request, response).catch(() => void response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Whether the owner of the secret signed it, not long ago: https://www.standardwebhooks.com */
function isSigned(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= maxAgeSeconds)) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  return String(signatures)
    .split(" ")
    .some((each) => {
      const given = Buffer.from(each.replace("v1,", ""), "base64");
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
}
