// A copy of the protos in which something is changed, to see what becomes of that.
import { execFile } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { readProtos } from "../../../tools/releases/held-options.ts";
import { folderOfTest } from "../folders.ts";

const run = promisify(execFile);
const paths = ["buf.yaml", "proto", "proto-google", "releases", "tools", "package.json"];

/** Copies the protos until the test ends. @param file below proto/assessment/v1 @param change gives its new text */
export function changedProtos(file: string, change: (text: string) => string) {
  const folder = folderOfTest();
  for (const name of paths) cpSync(name, join(folder, name), { recursive: true });
  const path = join(folder, "proto/assessment/v1", file);
  const before = readFileSync(path, "utf8");
  const after = change(before);
  if (after === before) throw new Error(`nothing of ${file} was changed`);
  writeFileSync(path, after);
  const env = { ...process.env, PATH: `${resolve("node_modules/.bin")}:${process.env.PATH}` };
  return {
    /** What their descriptors say. */
    async build() {
      await run("buf", ["build", "--path", "proto/assessment", "-o", "changed.binpb"], { cwd: folder, env });
      return readProtos(readFileSync(join(folder, "changed.binpb")));
    },
    /** What the check of `npm run lint:proto` says of them; empty if nothing breaks a release's promise. */
    breaking: () =>
      run("node", ["tools/releases/check-protos.ts"], { cwd: folder, env }).then(
        () => "",
        ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
      ),
  };
}
