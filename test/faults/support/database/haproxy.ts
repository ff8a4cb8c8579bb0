// HAProxy before a cluster: one address that leads to the server which takes writes, as in production.
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { freePort } from "../../../support/processes/free-port.ts";
import { ServerProcess } from "../../../support/processes/server-process.ts";
import { required } from "../run/means.ts";

/** The time of a check, and from one to the next of a server that is up: a busy machine does not make it a dead one. */
const checkMs = 3_000;

/** Starts it before the servers on these ports of loopback; resolves when it leads to the primary and nowhere else. */
export async function startHaproxy(mysqlRoot: string, servers: readonly number[]) {
  const program = required("FAULTS_HAPROXY");
  const folder = await mkdtemp(join(tmpdir(), "pas-haproxy-"));
  const port = await freePort();
  const check = join(folder, "is-primary");
  const config = join(folder, "haproxy.cfg");
  await writeFile(check, checkScript(mysqlRoot));
  await chmod(check, 0o755);
  await writeFile(config, configuration(port, check, servers));
  const proxy = new ServerProcess({
    name: "HAProxy that leads to the primary",
    command: [program, "-db", "-f", config],
    logFile: join(folder, "log"),
    isReady: () => leadsToPrimary(port),
  });
  await proxy.start();
  return {
    port,
    async stop() {
      await proxy.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** HAProxy takes all servers for good until it has checked them, so once is not enough. */
async function leadsToPrimary(port: number): Promise<boolean> {
  for (let count = 0; count < 6; count += 1) {
    const connection = await createConnection({ host: "127.0.0.1", port, user: "root" });
    const [rows] = await connection.query<RowDataPacket[]>("SELECT @@read_only AS isReadOnly");
    connection.destroy();
    if (rows[0]?.isReadOnly !== 0) return false;
  }
  return true;
}

/** HAProxy hands over address and port of the proxy, then those of the server. */
function checkScript(mysqlRoot: string): string {
  const client = `chroot ${mysqlRoot} /usr/bin/mysql --no-defaults --connect-timeout=1 -uroot -h127.0.0.1`;
  return `#!/bin/sh
[ "$(timeout 2 ${client} -P"$4" -NBe 'SELECT @@read_only' 2>/dev/null)" = 0 ]
`;
}

function configuration(port: number, check: string, servers: readonly number[]): string {
  const lines = servers.map((server) => `  server mysql-${server} 127.0.0.1:${server} check`);
  return `global
  external-check
  insecure-fork-wanted
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen mysql
  bind 127.0.0.1:${port}
  option external-check
  external-check path "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
  external-check command ${check}
  default-server inter ${checkMs}ms downinter 500ms fall 1 rise 1 on-marked-down shutdown-sessions
${lines.join("\n")}
`;
}
