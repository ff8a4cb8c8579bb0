// Reports without a service: of answers in a file, in every format.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folderOfFile } from "../support/folders.ts";

import { type Finished, pas } from "../support/processes/command.ts";
import { runPas } from "../support/processes/program.ts";
import { readPdf } from "../support/reports/pdf.ts";
import { answersWith } from "../support/reports/reports.ts";
import { longForm } from "../support/values-bridge/short-form.ts";

const folder = folderOfFile();
const ratings = answersWith({ 1: [24, 12], 2: [10, 20] });
const answers = ratings.map((value, index) => ({ questionId: 1001 + index, response: { type: "likert", value } }));
const definition = ["--assessment", await fileWith(longForm())];
const scored = [...definition, "--answers", await fileWith({ answers })];

async function fileWith(content: unknown): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.json`);
  await writeFile(file, JSON.stringify(content));
  return file;
}

const report = (...args: string[]): Promise<Finished> => runPas(["report", ...args], {});

test("the example of the documentation becomes a report, from answers to PDF", async () => {
  const out = join(folder, "report.pdf");
  const files = ["--assessment", "docs/example/assessment.json", "--answers", "docs/example/answers.json"];
  const finished = await pas(["report", ...files, "--format", "pdf", "--paper", "letter", "--out", out], {});
  expect(finished).toEqual({ code: 0, stdout: "", stderr: "" });
  const { pages, elements } = await readPdf(await readFile(out));
  expect(pages).toBe(3);
  expect(elements[0]?.text).toContain("You rated 15 of 16 statements");
});

test.each([
  [["--format", "json"], /^\{"revision":\d+,"language":"en"/],
  [["--format", "json", "--locale", "de-AT"], /^\{"revision":\d+,"language":"de"/],
  [["--format", "html", "--locale", "ja"], /^<!doctype html>\n<html lang="en" dir="ltr">/],
  [["--format", "svg"], /^<svg [^>]*viewBox="0 0 600 [\d.]+"/],
  [["--format", "svg", "--picture", "gaps"], /Your life and your wishes, value by value/],
])("%j prints the file and nothing else", async (args, content) => {
  const { code, stdout, stderr } = await report(...scored, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(content);
  expect(stdout).not.toMatch(/undefined|NaN/);
});

test("a picture is printed as bytes", async () => {
  const out = join(folder, "circle.png");
  expect(await report(...scored, "--format", "png", "--out", out)).toMatchObject({ code: 0 });
  expect((await readFile(out)).subarray(1, 4).toString()).toBe("PNG");
});

test.each([
  ["no format", scored, 2, /'--format <format>' not specified/],
  [
    "an unknown format",
    [...scored, "--format", "docx"],
    2,
    /--format.* Allowed choices are json, html, svg, png, pdf\./,
  ],
  ["no answers", [...definition, "--format", "json"], 2, /'--answers <file>' not specified/],
  ["a file that is not there", [...definition, "--answers", "nowhere.json", "--format", "json"], 1, /nowhere\.json/],
  [
    "answers of another assessment",
    ["--assessment", "docs/example/assessment.json", ...scored.slice(2), "--format", "json"],
    1,
    /answers\/\d+\/questionId/,
  ],
])("%s is refused in one line", async (_what, args, code, message) => {
  const finished = await report(...args);
  expect(finished).toMatchObject({ code, stdout: "" });
  expect(finished.stderr.trim().split("\n").at(-1)).toMatch(message);
});
