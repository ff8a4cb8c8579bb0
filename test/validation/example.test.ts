// The example of the documentation: whole, of today's form, and marked as made up wherever somebody may see it.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pilot } from "../../tools/validation/seeded/plans.ts";
import { seededStudy } from "../../tools/validation/seeded/study.ts";
import { validated } from "./support/kit.ts";

const folder = "docs/example/validation";
const example = JSON.parse(readFileSync(`${folder}/validation.json`, "utf8"));

test("the example has every section that the guide explains, each with figures", () => {
  const guide = readFileSync("docs/studies.md", "utf8");
  const table = guide.slice(guide.indexOf("## Read validation.json"), guide.indexOf("## Rehearse"));
  const explained = [...table.matchAll(/^\| `(\w+)(?:\.\w+)?` \|/gm)].map(([, name = ""]) => name);
  expect(explained.length).toBeGreaterThan(9);
  const sections = [...new Set(explained)].filter((name) => name !== "counts");
  expect(Object.keys(example).filter((name) => example[name].state !== undefined)).toEqual(sections);
  expect(sections.filter((name) => example[name].state !== "told")).toEqual([]);
});

test("the example says that it is made up, in the numbers and on the page", () => {
  expect(example.madeUp).toBe(true);
  expect(readFileSync(`${folder}/validation.html`, "utf8")).toContain("Made-up answers. This page says nothing");
});

test("the page asks nobody for anything", () => {
  const page = readFileSync(`${folder}/validation.html`, "utf8");
  expect(page.match(/<img /g)?.length).toBeGreaterThan(8);
  expect(page).not.toMatch(/<script|<link|(?:src|href)="(?!data:)/);
});

test("pictures are whole, on the page of the example and on a new one, and say each look once", () => {
  expectWholePictures(readFileSync(`${folder}/validation.html`, "utf8"), 10);
  const study = seededStudy({ ...pilot, people: 110, again: 0, careless: 0 });
  expectWholePictures(validated(study, { only: ["reliability"], madeUp: true }).html, 3);
});

function expectWholePictures(page: string, count: number) {
  const pictures = [...page.matchAll(/<img alt="[^"]+" src="data:image\/svg\+xml,([^"<>#]*)">/g)];
  expect(pictures).toHaveLength(count);
  for (const [, data = ""] of pictures) {
    const svg = decodeURIComponent(data);
    expect(svg).toMatch(/^<\?xml .*<\/svg>$/);
    expect(svg).not.toMatch(/ (?:style|fill|stroke)=/);
    const used = new Set([...svg.matchAll(/class='(\w+)'/g)].map(([, name]) => name));
    expect(used.size).toBeGreaterThan(3);
    expect([...used].filter((name) => !svg.includes(`.${name}{`))).toEqual([]);
    const numbers = svg.match(/\d+\.\d{3,}/g) ?? [];
    expect(numbers).toEqual([]);
  }
}
