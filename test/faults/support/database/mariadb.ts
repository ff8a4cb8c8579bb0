// MariaDB to break: the embedded server, as `npm start` runs it.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "../../../../src/database/embedded/database.ts";
import { killServerOf, serverPidOf } from "../../../support/databases/servers/embedded-server.ts";
import { administratorAt, prepareServer, schema } from "./database.ts";

export async function startMariadb() {
  const dataDir = await mkdtemp(join(tmpdir(), "pas-faults-"));
  const handles: EmbeddedDatabase[] = [];
  const start = async () => {
    handles.push(await startEmbeddedDatabase({ dataDir, log: (line) => console.log(line) }));
  };
  const pid = (): number => {
    const serverPid = serverPidOf(dataDir);
    if (serverPid === undefined) throw new Error("the server does not run");
    return serverPid;
  };
  await start();
  const socketPath = handles[0]?.connection.socketPath ?? "";
  await administratorAt(socketPath)(prepareServer);
  return {
    url: `mysql://pas@localhost/${schema}?socketPath=${encodeURIComponent(socketPath)}`,
    target: { path: socketPath },
    socketPath,
    urlThrough: (port: number) => `mysql://pas@127.0.0.1:${port}/${schema}`,
    kill: () => killServerOf(dataDir),
    start,
    /** Stops the server's process in its tracks, until it is thawed. */
    freeze: () => void process.kill(pid(), "SIGSTOP"),
    thaw: () => void process.kill(pid(), "SIGCONT"),
    asAdministrator: administratorAt(socketPath, schema),
    async remove() {
      for (const handle of handles) await handle.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
