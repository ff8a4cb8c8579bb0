// How commands are asked for help, and refuse what they cannot do: one line, and an exit code.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { createProgram, OutputClosed, runProgram } from "../../src/cli/program.ts";
import { readConfig } from "../../src/config.ts";
import { comments } from "../../src/gen/comments.ts";
import { commandName, listCommands } from "../../tools/docs/pages/command-line.ts";
import { folderOfFile } from "../support/folders.ts";

import { pas } from "../support/processes/command.ts";
import { runPas } from "../support/processes/program.ts";

const folder = folderOfFile();

const silent = { openConfig: () => readConfig({}), stdout: () => undefined, stderr: () => undefined };
const program = createProgram(silent, comments);
const names = listCommands(program).map(commandName);
const groups = program.commands.filter((command) => command.commands.length > 0).map((command) => command.name());

const cases: readonly [string, string[], Record<string, string>, number, RegExp][] = [
  ["an unknown command", ["nonsense"], {}, 2, /unknown command 'nonsense'/],
  ["a command that is nearly one", ["serv"], {}, 2, /Did you mean serve\?/],
  ["an unknown option", ["serve", "--port", "1"], {}, 2, /unknown option '--port'/],
  ["no workers", ["serve", "--workers", "0"], {}, 2, /--workers.* must be 1 to 128/],
  ["a gateway without credentials", ["serve", "--role", "gateway", "--core", "http://x"], {}, 2, /GATEWAY_CLIENT_ID/],
  [
    "a day that the calendar does not have",
    ["audit", "export", "--partner", "019b2f7c-0000-7a3e-9c0d-5f1a2b3c4d5e", "--from", "2026-02-30"],
    {},
    2,
    /It must be a day/,
  ],
  ["the demo without a service", ["demo"], {}, 2, /npm start/],
  ["a file that is not there", ["assessment", "check", "nowhere.json"], {}, 1, /nowhere\.json/],
  [
    "a database URL without a database",
    ["serve"],
    { DATABASE_URL: "mysql://root@127.0.0.1:1/" },
    1,
    /DATABASE_URL must/,
  ],
  ["a port that is none", ["serve"], { HTTP_PORT: "http" }, 1, /HTTP_PORT must be an integer from 0 to 65535/],
  [
    "a database that is away",
    ["migrate"],
    { DATABASE_URL: "mysql://root:secret@127.0.0.1:1/x" },
    1,
    /cannot be reached.*`pas doctor` says why/,
  ],
  [
    "a data folder that cannot be made",
    ["partner", "list"],
    { DATA_DIR: "/dev/null/data" },
    1,
    /set DATA_DIR to a place/,
  ],
];

test.each(cases)("%s is refused in one line", async (_name, args, environment, code, message) => {
  const finished = await runPas(args, { DATA_DIR: folder, ...environment });
  expect(finished).toMatchObject({ code, stdout: "" });
  const lines = finished.stderr.trim().split("\n");
  expect(lines.at(-1)).toMatch(message);
  expect(lines.at(-1)).toMatch(/^pas: /);
  expect(finished.stderr).not.toContain("secret");
});

test("a wrong call ends the process with 2, another failure with 1, help with 0", async () => {
  const unusable = { DATA_DIR: folder, HTTP_PORT: "http" };
  expect(await pas(["serve", "--port"], unusable)).toMatchObject({ code: 2, stdout: "" });
  expect(await pas(["serve"], unusable)).toMatchObject({ code: 1, stdout: "" });
  expect(await pas(["help"], unusable)).toMatchObject({ code: 0, stderr: "" });
});

test("`pas help` lists every command and group on stdout, and the help of a group what it has", async () => {
  for (const words of [["help"], ["--help"], ["-h"]]) {
    const { code, stdout, stderr } = await runPas(words, {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const name of names) expect(stdout).toContain(`\n  ${name.split(" ")[0]} `);
  }
  for (const [group = "", word] of names.map((name) => name.split(" ")).filter(({ length }) => length > 1)) {
    expect((await runPas(["help", group], {})).stdout).toContain(`\n  ${word} `);
  }
});

test.each(groups)(
  "the help of `pas %s` goes to stdout if it is asked for, else to stderr as a mistake",
  async (name) => {
    const help = await runPas([name, "--help"], {});
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(await runPas([name], {})).toEqual({ code: 2, stdout: "", stderr: help.stdout });
  },
);

test("`pas` without a command is a mistake", async () => {
  expect(await runPas([], {})).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("pas [options] [command]"),
  });
});

test("the version is that of the package", async () => {
  for (const word of ["--version", "-V"]) {
    expect(await runPas([word], {})).toEqual({ code: 0, stdout: `${packageJson.version}\n`, stderr: "" });
  }
});

test("an older Node, which cannot run TypeScript, prints one line that names the version needed", async () => {
  const pretend = 'Object.defineProperty(process,"versions",{value:{...process.versions,node:"20.9.0"}})';
  const older = ["--no-strip-types", `--import=data:text/javascript,${encodeURIComponent(pretend)}`];
  await expect(promisify(execFile)(process.execPath, [...older, "src/main.js", "--version"])).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(
      /^pas: Node 24[.\d]* or newer is needed, this is 20\.9\.0; PATH=".*\/node_modules\/\.bin:\$PATH" finds the one .*\n$/,
    ),
  });
});

test("a closed pipe, such as that of head, ends the output without an error", async () => {
  const child = spawn(process.execPath, ["src/main.js", "help"]);
  child.stdout.destroy();
  let errorOutput = "";
  child.stderr.on("data", (text) => {
    errorOutput += text;
  });
  const [code] = await once(child, "exit");
  expect([code, errorOutput]).toEqual([0, ""]);
  const openConfig = () => readConfig({});
  const stdout = () => {
    throw new OutputClosed();
  };
  const stderr = (text: string) => {
    errorOutput += text;
  };
  expect([await runProgram(["help"], { openConfig, stdout, stderr }), errorOutput]).toEqual([141, ""]);
});
