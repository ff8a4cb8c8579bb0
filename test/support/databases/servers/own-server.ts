// A server of a test's own, of the kind that the leg has, with options that other tests could not live with.
import { spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import { inject } from "vitest";
import { resolveEmbeddedPaths } from "../../../../src/database/embedded/folder.ts";
import { baseOptions, provideServerProgram } from "../../../../src/database/embedded/program.ts";
import { createFolderOptions, initializeServerDir } from "../../../../src/database/embedded/server.ts";
import { freePort } from "../../processes/free-port.ts";
import { endProcess } from "../../processes/server-process.ts";
import { until } from "../../until.ts";
import { startMysql97 } from "./mysql97.ts";
import { makeOwnedFolder, provideMysqlRoot } from "./mysql97-root.ts";

export type OwnServer = Awaited<ReturnType<typeof startOwnServer>>;

export interface OwnServerOptions {
  /** Further options of the server. @param folder where the server finds the files */
  readonly options: (folder: string) => readonly string[];
  /** A folder with files that its options name. */
  readonly files?: string;
}

const say = (line: string) => console.log(line);
const database = "pas_own";

/** Whether the servers of this leg are MariaDB; else they are MySQL. */
export function isMariadb(): boolean {
  return "socketPath" in inject("databaseServer");
}

/** Starts it on a port of loopback. */
export async function startOwnServer(options: OwnServerOptions) {
  const { port, stop } = await (isMariadb() ? startMariadb(options) : startMysql(options));
  const at = `127.0.0.1:${port}`;
  const connection = await until(() => createConnection(`mysql://root@${at}`));
  await connection.query(`CREATE DATABASE ${database} CHARACTER SET utf8mb4`);
  await connection.query("CREATE USER pas@'%' IDENTIFIED BY 'secret'");
  await connection.query(`GRANT ALL ON ${database}.* TO pas@'%'`);
  return {
    /** Of an empty database, for a user who may do no more than a service has to. */
    url: `mysql://pas:secret@${at}/${database}`,
    /** An administrator's, to whom `init_connect` does not apply. */
    connection,
    async stop() {
      connection.destroy();
      await stop();
    },
  };
}

/** A MariaDB without a database of its own. Its administrator is root, at its socket. */
export async function startMariadb({ options, files }: OwnServerOptions) {
  const folder = await mkdtemp(join(tmpdir(), "pas-own-server-"));
  const paths = resolveEmbeddedPaths(folder);
  const program = await provideServerProgram(folder, say);
  await initializeServerDir(program, paths);
  const port = await freePort();
  const socketPath = join(folder, "own.sock");
  const place = [`--socket=${socketPath}`, "--bind-address=127.0.0.1", `--port=${port}`];
  const all = [...baseOptions, ...createFolderOptions(paths.serverDir, paths), ...place];
  const server = spawn(program, [...all, ...options(files ?? folder)], { stdio: "ignore" });
  return {
    port,
    socketPath,
    async stop() {
      await endProcess(server);
      await rm(folder, { recursive: true });
    },
  };
}

async function startMysql({ options, files }: OwnServerOptions) {
  const root = await provideMysqlRoot(say);
  const folder = await makeOwnedFolder(join(root, "var/lib"), "mysql_files");
  if (files !== undefined) await cp(files, folder, { recursive: true });
  const inside = folder.slice(root.length);
  const mysql = await startMysql97({ log: say, isAnother: true, options: options(inside) });
  return {
    port: Number(new URL(mysql.url).port),
    async stop() {
      await mysql.stop();
      await rm(folder, { recursive: true });
    },
  };
}
