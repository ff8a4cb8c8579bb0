// Servers of tests on ports of loopback.
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Whether a request to the address gets a good response within two seconds. */
export async function isServed(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Has a server listen. @returns its port */
export async function listenOnLoopback(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}
