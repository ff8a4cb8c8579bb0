// The example of the documentation: whole, of today's form, and marked as made up wherever somebody may see it.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pilot } from "../../tools/validation/seeded/plans.ts";
import { seededStudy } from "../../tools/validation/seeded/study.ts";
import { validated } from "./support/kit.ts";

const page = readFileSync("docs/example/validation/validation.html", "utf8");

test("the example has every section that the guide explains, each with figures", () => {
  const guide = readFileSync("docs/studies.md", "utf8");
  const table = guide.slice(guide.indexOf("## Read validation.json"), guide.indexOf("## Rehearse"));
  const explained = [...table.matchAll(/^\| `(\w+)(?:\.\w+)?` \|/gm)].map(([, name = ""]) => name);
  expect(explained.length).toBeGreaterThan(9);
  const sections = [...new Set(explained)].filter((name) => name !== "counts");
  expect([...page.matchAll(/<h2 id="(\w+)">/g)].map(([, name]) => name)).toEqual(sections);
  expect(page).not.toMatch(/Too few:|Not asked for\.|No estimate:/);
});

test("the example says that it is made up", () => {
  expect(page).toContain("Made-up answers. This page says nothing");
});

test("the page asks nobody for anything", () => {
  expect(page.match(/<img /g)?.length).toBeGreaterThan(8);
  expect(page).not.toMatch(/<script|<link|(?:src|href)="(?!data:)/);
});

test("pictures are whole, on the page of the example and on a new one, and say each look once", () => {
  expectWholePictures(page, 10);
  const study = seededStudy({ ...pilot, people: 110, again: 0, careless: 0 });
  const { json, html } = validated(study, { only: ["reliability"], madeUp: true });
  expect(JSON.parse(json).madeUp).toBe(true);
  expectWholePictures(html, 3);
});

function expectWholePictures(html: string, count: number) {
  const pictures = [...html.matchAll(/<img alt="[^"]+" src="data:image\/svg\+xml,([^"<>#]*)">/g)];
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
