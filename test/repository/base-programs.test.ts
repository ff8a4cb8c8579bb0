// npm test on a machine that has Debian's base, Node and npm: here every test of it runs, by vitest.config.ts.
import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import { expect, test } from "vitest";

const status = (program: string, ...args: string[]) => {
  const { error, status: code } = spawnSync(program, args);
  return error !== undefined && "code" in error ? error.code : code;
};

test("npm test finds Debian's base, Node, npm and what npm ci brings, and no other program", () => {
  expect(["bash", "tar", "node", "npm", "buf", "tsc"].filter((name) => status(name, "--version") !== 0)).toEqual([]);
  // A test that reads vitest.config.ts in this worker adds the folder of the server again.
  expect(new Set(process.env.PATH?.split(delimiter)).size).toBe(3);
  const others = ["Rscript", "python3", "openssl", "git", "curl", "jq", "haproxy", "qpdf"];
  expect(others.map((name) => status(name, "--version"))).toEqual(others.map(() => "ENOENT"));
});
