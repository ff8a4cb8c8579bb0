// Ports for servers of tests that must know theirs before they start.
import { once } from "node:events";
import { createServer } from "node:net";

/** A port of loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("the system gives no port");
  return address.port;
}
