// The runbook as an operator follows it: commands are taken from the page, and a shell runs them as they stand.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { TestDatabase } from "../../../support/databases/servers/server.ts";
import { folderOfTest } from "../../../support/folders.ts";
import { type Environment, type Finished, onDatabase, startOptions } from "../../../support/processes/command.ts";
import { provide } from "../../../support/run/programs.ts";

/** The commands of a chapter, in their order; one that goes on in the next line is one. Throws if there are none. */
export function commandsOf(heading: string): string[] {
  const page = readFileSync("docs/runbook.md", "utf8");
  const [, chapter = ""] = page.split(new RegExp(`^##+ ${RegExp.escape(heading)}\n`, "m"));
  const [text = ""] = chapter.split(/^##+ /m);
  const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, block = ""]) => block);
  const commands = blocks.flatMap((block) => block.trim().split(/(?<!\\)\n/));
  if (commands.length === 0) throw new Error(`the runbook has no commands under "${heading}"`);
  return commands;
}

/** A database that the commands are for. */
export interface OperatedDatabase {
  readonly url: string;
  /** Socket of the server, its schema, and a user with all rights. */
  readonly socketPath: string;
  readonly schema: string;
}

/** A test's own schema. Throws where the server has no socket: the projects of these tests run on the embedded one. */
export function operated({ url }: TestDatabase): OperatedDatabase {
  const { pathname, searchParams } = new URL(url);
  const socketPath = searchParams.get("socketPath");
  if (socketPath === null) throw new Error("the server of this run has no socket");
  return { url, socketPath, schema: pathname.slice(1) };
}

export type Operator = Awaited<ReturnType<typeof startOperator>>;

/** Somebody at a shell in which `pas` and `mysql` are what the runbook says, until the test ends. */
export async function startOperator({ url, socketPath, schema }: OperatedDatabase, settings: Environment = {}) {
  const folder = folderOfTest();
  const programs = {
    pas: `exec "${process.execPath}" ${startOptions().join(" ")} "${resolve("src/main.js")}" "$@"`,
    mysql: `exec /usr/bin/env -i "${await provide("mariadb")}" --no-defaults --user=root --socket="${socketPath}" "${schema}" "$@"`,
  };
  for (const [name, line] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\n${line}\n`);
    await chmod(join(folder, name), 0o755);
  }
  const { PATH = "", HOME = "" } = process.env;
  const env = { HOME, ...onDatabase({ url }), ...settings, PATH: `${folder}:${PATH}` };
  const attempt = (command: string, variables: Environment = {}) =>
    new Promise<Finished>((done) => {
      const options = ["--norc", "-eu", "-o", "pipefail", "-c", command];
      execFile("bash", options, { env: { ...env, ...variables } }, (error, stdout, stderr) =>
        done({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  return {
    /** Runs a command of the page. @param variables of the shell that it takes */
    try: attempt,
    /** Runs one that has to succeed. @returns what it prints */
    async follow(command: string, variables?: Environment) {
      const { code, stdout, stderr } = await attempt(command, variables);
      if (code !== 0) throw new Error(`${command}: ${code} ${stdout} ${stderr}`);
      return stdout;
    },
  };
}
