// The documentation says what the code does: generated files are up to date, and the worked example adds up.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Results } from "../../src/products/values-bridge/scoring/results.ts";
import { documents } from "../../tools/docs/documents.ts";
import { fillPlaces } from "../../tools/docs/markdown.ts";

test.each([...(await documents())])("%s is what `npm run docs` writes", (file, content) => {
  const committed = readFileSync(file, "utf8");
  // JSON is formatted after it was written.
  if (file.endsWith(".json")) expect(JSON.parse(committed)).toEqual(JSON.parse(content));
  else expect(committed).toBe(content);
});

describe("a place in a page", () => {
  const page = "before\n<!-- a: by code -->\nold\n<!-- /a -->\nbetween <!-- b: -->\n<!-- /b -->";

  test("is filled anew and keeps what is around it", () => {
    const filled = fillPlaces(page, { a: "$1 & | new", b: "two\nlines" });
    expect(filled).toBe(
      "before\n<!-- a: by code -->\n\n$1 & | new\n\n<!-- /a -->\nbetween <!-- b: -->\n\ntwo\nlines\n\n<!-- /b -->",
    );
    expect(fillPlaces(filled, { a: "$1 & | new", b: "two\nlines" })).toBe(filled);
  });

  test("without a part, or a part without a place, is an error", () => {
    expect(() => fillPlaces(page, { a: "1" })).toThrow("nothing fills the place b");
    expect(() => fillPlaces(page, { a: "1", b: "2", c: "3" })).toThrow("no place for c");
  });
});

describe("the worked example of the results page", () => {
  const example = /^## A worked example$(.*)/ms.exec(readFileSync("docs/results.md", "utf8"))?.[1] ?? "";
  const blocks = [...example.matchAll(/```text\n(.*?)```/gs)].map(([, text = ""]) => text);
  const sums = blocks.flatMap((text) => text.split("\n")).filter((line) => line.includes(" = "));

  test("shows its sums", () => {
    expect(sums.length).toBeGreaterThan(40);
  });

  test.each(sums)("adds up: %s", (line) => {
    const [equation = "", reported] = line.split(" → ");
    const [, ...sides] = equation.split(" = ").map((side) => side.trim());
    const values = sides.map(calculate);
    const result = values.at(-1) ?? Number.NaN;
    expect(values.length).toBeGreaterThan(1);
    for (const value of values) expect(Math.abs(value - result)).toBeLessThan(0.001);
    if (reported !== undefined) expect(Math.abs(Number(reported) - result)).toBeLessThanOrEqual(0.005);
  });

  test("leads to every number of the results it ends with, and to no other", () => {
    const [json = ""] = [...example.matchAll(/```json\n(.*?)```/gs)].map(([, text = ""]) => text);
    const { overall, values, pairings } = JSON.parse(json) as Results;
    const { archetypeId: _, ...totals } = overall;
    const reported = [
      ...Object.values(totals),
      ...values.map((value) => value.authenticityGapScaled),
      ...pairings.map((pairing) => pairing.scaledScore),
    ];
    const shown = sums.flatMap((line) => line.split(" → ").slice(1)).map(Number);
    const byNumber = (one: number, other: number) => one - other;
    expect(shown.toSorted(byNumber)).toEqual(reported.filter((each) => each !== null).toSorted(byNumber));
  });
});

test("the guide on groups shows the numbers of a recorded response, of its first value", () => {
  const [, shown = ""] = /```json\n(.*?)```/s.exec(readFileSync("docs/groups.md", "utf8")) ?? [];
  const examples = JSON.parse(readFileSync("src/docs-site/reference/response-examples.json", "utf8"));
  const recorded = JSON.parse(examples.getGroupNumbers[200]);
  recorded.numbers.values.splice(1);
  expect(JSON.parse(shown)).toEqual(recorded);
});

/** The value of a sum as the page writes it. */
function calculate(text: string): number {
  const tokens = text.match(/\d+(?:\.\d+)?|min|max|[-−+×/(),|]/g) ?? [];
  expect(tokens.join("")).toBe(text.replaceAll(" ", ""));
  const isNext = (...wanted: string[]) => wanted.includes(tokens[0] ?? "");
  const take = () => tokens.shift() ?? "";
  const sum = (): number => {
    let value = product();
    while (isNext("+", "−")) value += take() === "+" ? product() : -product();
    return value;
  };
  const product = (): number => {
    let value = factor();
    while (isNext("×", "/")) value = take() === "×" ? value * factor() : value / factor();
    return value;
  };
  const closed = (value: number): number => {
    take();
    return value;
  };
  const factor = (): number => {
    const token = take();
    if (token === "-") return -factor();
    if (token === "(") return closed(sum());
    if (token === "|") return closed(Math.abs(sum()));
    if (token !== "min" && token !== "max") return Number(token);
    take();
    const first = sum();
    take();
    return closed(Math[token](first, sum()));
  };
  return sum();
}

test("every link of a page leads to a file and a heading that are there", () => {
  const links = globSync(["*.md", "{clients,docs,deploy,examples,mcp,test}/**/*.md"], {
    exclude: ["**/node_modules"],
  }).flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:|mailto:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
      ([link, path, anchor]) => ({ link: `${page}: ${link}`, file: path ? join(dirname(page), path) : page, anchor }),
    ),
  );
  expect(links.length).toBeGreaterThan(100);
  const broken = links.filter(
    ({ file, anchor }) => !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor)),
  );
  expect(broken.map(({ link }) => link)).toEqual([]);
});

/** Addresses of the headings of a page, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  return [...readFileSync(page, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\s-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("the ten files to read first are there", () => {
  const [, list = ""] = /^## Read these ten files first$(.*?)^## /ms.exec(readFileSync("docs/house.md", "utf8")) ?? [];
  const paths = [...list.matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, path = ""]) => path);
  expect(paths.length).toBe(11);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});
