// The program of the kit by itself, as the image runs it: its options are those of the command.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pilot } from "../../tools/validation/seeded/plans.ts";
import { seededStudy } from "../../tools/validation/seeded/study.ts";
import { type StudyFiles, writeStudy } from "../../tools/validation/seeded/write.ts";
import { folderOfFile } from "../support/folders.ts";

const folder = folderOfFile();
const files = writeStudy(folder, seededStudy({ ...pilot, people: 3, again: 0, careless: 0 }));

function program(...options: readonly string[]) {
  return programOn({}, files, ...options);
}

function programOn(environment: NodeJS.ProcessEnv, { export: file, codebook }: StudyFiles, ...options: string[]) {
  const given = ["--vanilla", "tools/validation/r/main.R", file, codebook, ...options];
  const env = { ...process.env, ...environment };
  const { status, stderr } = spawnSync("Rscript", given, { encoding: "utf8", env });
  return { status, stderr: stderr.trim() };
}

test("one processor and two give the same bytes", () => {
  const people = writeStudy(join(folder, "people"), seededStudy({ ...pilot, people: 310, again: 0, careless: 0 }));
  expect(readFileSync(people.export, "utf8")).toContain("person-00310");
  const [one, two] = ["1", "2"].map((cores) => {
    const out = join(folder, `cores-${cores}`);
    const options = ["--only=circle,efa", "--permutations=3", `--out=${out}`];
    expect(programOn({ MC_CORES: cores }, people, ...options)).toEqual({ status: 0, stderr: "" });
    return readFileSync(join(out, "validation.json"), "utf8");
  });
  expect(two).toBe(one);
});

test.each([
  [["--retests"], "There is no option --retests."],
  [["--out"], "--out takes a value."],
  [["--draws", "none"], "--draws takes a whole number from 1."],
  [["--criteria", "nowhere.csv"], "There is no file nowhere.csv."],
  [["more.csv"], "Give two files: EXPORT.csv CODEBOOK.json."],
])("the options %j are refused", (options, message) => {
  expect(message).toMatch(/\.$/);
  expect(program(...options)).toEqual({ status: 2, stderr: message });
});
