// The demo's own receiver of webhooks: what a partner's backend does with one.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const maxAgeSeconds = 300;
const maxBodyBytes = 64 * 1024;

/** The part of an event that the demo reads. */
export interface DemoEvent {
  readonly type: string;
  readonly data: { readonly sessionId: string };
}

export interface DemoReceiver extends AsyncDisposable {
  readonly url: string;
}

/**
 * Listens on a free port of this machine. Requests without a valid signature are answered with 401.
 * @param secret returns the endpoint's, `whsec_` and base64, once it is known
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
  // A client that disconnects before its request has arrived is ignored.
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

/** Whether it was signed with the secret, recently: https://www.standardwebhooks.com */
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
