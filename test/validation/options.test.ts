// The program of the kit by itself, as the image runs it: its options are those of the command.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { pilot } from "../../tools/validation/seeded/plans.ts";
import { seededStudy } from "../../tools/validation/seeded/study.ts";
import { writeStudy } from "../../tools/validation/seeded/write.ts";
import { isThere } from "./support/kit.ts";

const folder = mkdtempSync(join(tmpdir(), "pas-validation-options-"));
const files = writeStudy(folder, seededStudy({ ...pilot, people: 3, again: 0, careless: 0 }));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function program(...options: readonly string[]) {
  const given = ["--vanilla", "tools/validation/r/main.R", files.export, files.codebook, ...options];
  const { status, stderr } = spawnSync("Rscript", given, { encoding: "utf8" });
  return { status, stderr: stderr.trim() };
}

test.each([
  [["--out", join(folder, "apart"), "--retest", "--criteria", files.criteria], "apart"],
  [[`--out=${join(folder, "joined")}`, "--made-up", `--criteria=${files.criteria}`], "joined"],
])("takes a value behind its option and joined to it: %j", (options, out) => {
  expect(options.join(" ")).toContain(out);
  if (!isThere) return;
  expect(program(...options)).toEqual({ status: 0, stderr: "" });
  expect(readdirSync(join(folder, out)).toSorted()).toEqual(["validation.html", "validation.json"]);
});

test.each([
  [["--retests"], "There is no option --retests."],
  [["--out"], "--out takes a value."],
  [["--draws", "none"], "--draws takes a whole number from 1."],
  [["--criteria", "nowhere.csv"], "There is no file nowhere.csv."],
  [["more.csv"], "Give two files: EXPORT.csv CODEBOOK.json."],
])("refuses %j", (options, message) => {
  expect(message).toMatch(/\.$/);
  if (!isThere) return;
  expect(program(...options)).toEqual({ status: 2, stderr: message });
});
