// Reports without a service: what scoring prints, in every format.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderOfFile } from "../support/folders.ts";

import { type Finished, pas } from "../support/processes/command.ts";
import { runPas } from "../support/processes/program.ts";
import { readPdf } from "../support/reports/pdf.ts";
import { answersWith } from "../support/reports/reports.ts";
import { valuesBridge } from "../support/values-bridge/opened.ts";
import { longForm } from "../support/values-bridge/short-form.ts";
import { answeredEvery, population, qualityOf } from "../support/values-bridge/simulated-people.ts";

const folder = folderOfFile();
const scored = await fileWith(scoredOf(answersWith({ 1: [24, 12], 2: [10, 20] })));

/** As `pas score --explain --quality` prints it. */
function scoredOf(answers: readonly (number | null)[]) {
  const { scorer, explain } = valuesBridge.open(longForm(), 1);
  const results = scorer.score(answers);
  const quality = qualityOf(longForm(), answers);
  return { results, explanation: explain(answers, results, quality), quality };
}

async function fileWith(content: unknown): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.json`);
  await writeFile(file, JSON.stringify(content));
  return file;
}

const report = (...args: string[]): Promise<Finished> => runPas(["report", ...args], {});

test("the example of the documentation becomes a report, from answers to PDF", async () => {
  const assessment = "docs/example/assessment.json";
  const { stdout } = await pas(
    ["score", "--assessment", assessment, "--answers", "docs/example/answers.json", "--explain", "--quality"],
    {},
  );
  const [file, out] = [join(folder, "scored.json"), join(folder, "report.pdf")];
  await writeFile(file, stdout);
  const finished = await report(file, "--assessment", assessment, "--format", "pdf", "--paper", "letter", "--out", out);
  expect(finished).toEqual({ code: 0, stdout: "", stderr: "" });
  const { pages, elements } = await readPdf(await readFile(out));
  expect(pages).toBe(3);
  expect(elements[0]?.text).toContain("You rated 15 of 16 statements");
});

describe("a report on stdout", () => {
  test.each([
    [["--format", "json"], /^\{"revision":\d+,"language":"en"/],
    [["--format", "json", "--locale", "de-AT"], /^\{"revision":\d+,"language":"de"/],
    [["--format", "html", "--locale", "ar-XB"], /^<!doctype html>\n<html lang="ar-XB" dir="rtl">/],
    [["--format", "svg"], /^<svg [^>]*viewBox="0 0 600 [\d.]+"/],
    [["--format", "svg", "--picture", "gaps"], /Your life and your wishes, value by value/],
  ])("%j prints the file and nothing else", async (args, content) => {
    const { code, stdout, stderr } = await report(scored, ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(content);
    expect(stdout).not.toMatch(/undefined|NaN/);
  });

  test("a picture is printed as bytes", async () => {
    const out = join(folder, "circle.png");
    expect(await report(scored, "--format", "png", "--out", out)).toMatchObject({ code: 0 });
    expect((await readFile(out)).subarray(1, 4).toString()).toBe("PNG");
  });
});

test("a report uses the quality in the file, which knows when the answers arrived", async () => {
  const [answers = []] = population(longForm(), 1, 5);
  const quality = qualityOf(longForm(), answers, answeredEvery(0.4));
  const { stdout } = await report(await fileWith({ ...scoredOf(answers), quality }), "--format", "json");
  expect(JSON.parse(stdout).summary.silence).toMatch(/^Your answers arrived faster than statements can be read\./);
});

test.each<[string, () => Promise<string[]>, number, RegExp]>([
  ["no format", async () => [scored], 2, /'--format <format>' not specified/],
  [
    "an unknown format",
    async () => [scored, "--format", "docx"],
    2,
    /--format.* Allowed choices are json, html, svg, png, pdf\./,
  ],
  ["no file", async () => ["--format", "json"], 2, /missing required argument 'file'/],
  ["a file that is not there", async () => ["nowhere.json", "--format", "json"], 1, /nowhere\.json/],
  ["another file", async () => ["package.json", "--format", "json"], 1, /package\.json is not what .* prints/],
  [
    "results of another assessment",
    async () => [scored, "--format", "json", "--assessment", "docs/example/assessment.json"],
    1,
    /belong to another assessment/,
  ],
  [
    "results without an explanation",
    async () => [await unexplainedFile(), "--format", "svg"],
    1,
    /is not what .* prints: must have required property 'explanation'/,
  ],
])("%s is refused in one line", async (_what, args, code, message) => {
  const finished = await report(...(await args()));
  expect(finished).toMatchObject({ code, stdout: "" });
  expect(finished.stderr.trim().split("\n").at(-1)).toMatch(message);
});

async function unexplainedFile(): Promise<string> {
  const { results } = JSON.parse(await readFile(scored, "utf8"));
  return fileWith({ results });
}
