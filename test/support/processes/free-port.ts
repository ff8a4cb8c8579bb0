// Ports for servers of tests that must know theirs before they start.
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that the system gives by itself, to servers on port 0 and to connections: none of them takes it meanwhile. */
const [least, most] = [10_000, 32_000];

/** A port of loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(least, most);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
