// The database of a test, reached through a proxy that can cut its connections.
import { inject } from "vitest";
import type { DatabaseAddress } from "../../../src/database/database.ts";
import { type DatabaseProxy, startDatabaseProxy } from "./database-proxy.ts";

/** A proxy before the server of the leg, and the same database through it. */
export async function proxyBefore(address: DatabaseAddress): Promise<{ proxy: DatabaseProxy; url: string }> {
  const server = inject("databaseServer");
  if ("socketPath" in server) {
    const proxy = await startDatabaseProxy({ path: server.socketPath });
    return { proxy, url: `mysql://${server.user}@127.0.0.1:${proxy.port}${new URL(address.url).pathname}` };
  }
  const url = new URL(address.url);
  const proxy = await startDatabaseProxy({ host: url.hostname, port: Number(url.port || 3306) });
  url.host = `127.0.0.1:${proxy.port}`;
  return { proxy, url: url.href };
}
