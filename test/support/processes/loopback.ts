// Servers of tests on free ports of loopback.
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Has a server listen. @returns its port */
export async function listenOnLoopback(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}
