// A report as a page: one file that asks for nothing, whatever a partner is called.
import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { embedLogo, findValidAccent, toVisibleLine } from "../../../../src/products/values-bridge/report/branding.ts";
import { renderReportHtml } from "../../../../src/products/values-bridge/report/html/report-html.ts";
import { createReportModel } from "../../../../src/products/values-bridge/report/report.ts";
import { hostileNames } from "../../../support/reports/hostile-names.ts";
import { answersWith, neutralBranding, reportWith } from "../../../support/reports/reports.ts";
import { longForm } from "../../../support/values-bridge/short-form.ts";
import { inputOf } from "../../../support/values-bridge/simulated-people.ts";

const model = reportWith(
  { 1: [24, 12], 2: [10, 20], 15: [22, 22] },
  { sharing: { partner: "Acme", until: new Date("2026-11-28"), isByLink: true } },
);

describe("the page of a report", () => {
  const page = renderReportHtml(model, { ...neutralBranding, displayName: "Acme", accentColor: "#7a1fa2" });

  test("a page has a policy that allows only its own style", () => {
    const [, policy = ""] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    const [, style = ""] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
    const directives = policy.replaceAll("&#39;", "'").replaceAll("&#x27;", "'").split("; ");
    expect(directives).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash("sha256", style, "base64")}'`,
      "font-src data:",
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  test("a page has no script, no style on elements, and no address", () => {
    expect(page).not.toMatch(/<script|<link|<iframe|<form|\sstyle=|\son\w+=|javascript:|@import|src=/i);
    const targets = [...page.matchAll(/url\(([^)]*)\)/g)].map(([, target]) => target?.replace(/,.*/, ""));
    const font = "data:font/woff2;base64";
    expect(targets).toEqual([font, font, "#hatch", "#paleHatch", "#hatch", "#paleHatch"]);
    expect([...page.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)).toEqual(
      expect.arrayContaining([
        "#petals",
        "#wide-0",
        "#narrow-3",
        "#step",
        "#summary",
        "#steps",
        "#differences",
        "#reading",
      ]),
    );
    expect([...page.matchAll(/href="([^#][^"]*)"/g)]).toEqual([]);
    expect(page).not.toMatch(/https?:\/\//);
  });

  test("a page has each id once, and one heading of the first rank before the others", () => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const ranks = [...page.matchAll(/<h([1-6])/g)].map(([, rank]) => Number(rank));
    expect(ranks[0]).toBe(1);
    expect(ranks.filter((rank) => rank === 1)).toHaveLength(1);
    expect(ranks.slice(1).filter((rank, index) => rank - (ranks[index] ?? 0) > 1)).toEqual([]);
  });

  test("a page opened by a link says who has the results and until when", () => {
    expect(page).toContain("Acme has these results, and so does everybody who has your link.");
    expect(page).toContain("The link works until 28 November 2026 (UTC).");
    const sharing = { partner: "Acme", until: new Date("2026-11-28T00:05:00Z"), isByLink: true };
    const west = renderReportHtml(
      reportWith({}, { sharing, person: { timeZone: "America/Los_Angeles" } }),
      neutralBranding,
    );
    expect(west).toContain("The link works until 27 November 2026.");
    expect(renderReportHtml(reportWith({}), neutralBranding)).not.toMatch(/\b(?:your|The) link\b/);
  });

  test("a page marks the partner's support text as of unknown language", () => {
    const support = "Rufen Sie Ana an: 030 1234.";
    expect(renderReportHtml(reportWith({}, { support }), neutralBranding)).toContain(
      `dir="auto" lang="">${support}</p>`,
    );
  });

  test("a page marks texts in another language", () => {
    const input = inputOf({ ...longForm(), translations: [] }, answersWith({ 1: [24, 12] }), { locales: ["de"] });
    const germanHtml = renderReportHtml(createReportModel(input), neutralBranding);
    expect(germanHtml).toContain('<html lang="de" dir="ltr">');
    expect(germanHtml).toContain('<p class="goal" lang="en" dir="ltr">Form your own ideas');
    expect(germanHtml).toContain('<span class="name" lang="en" dir="ltr">Free Thinking</span>');
  });
});

test.each(hostileNames)("a name that is %s does no harm to a page", (_what, displayName) => {
  const branding = { ...neutralBranding, displayName };
  const page = renderReportHtml(
    reportWith({}, { sharing: { partner: displayName, until: new Date(0), isByLink: true } }),
    branding,
  );
  const head = /<header class="brand">(.*?)<\/header>/s.exec(page)?.[1] ?? "";
  expect(head.replace(/<\/?(?:p|bdi)>/g, "")).not.toMatch(/[<>"\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
  expect(page).not.toMatch(/<img|<script|<\/style>.*<\/style>/s);
  expect(head.length).toBeLessThan(2_500);
  expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
});

test.each([
  [null, null],
  ["", null],
  [" \u200b\u202e \n", null],
  ["  Acme\n\tCoaching ", "Acme Coaching"],
  ["👩‍👩‍👧‍👦".repeat(8), "👩‍👩‍👧‍👦".repeat(8)],
])("the name %j is shown as %j on a page", (name, shown) => {
  expect(toVisibleLine(name)).toBe(shown);
});

test("a page without a partner's name has neutral words instead", () => {
  expect(renderReportHtml(model, neutralBranding)).toContain("<bdi>Report on your values</bdi>");
});

describe("logos on pages", () => {
  const png = "data:image/png;base64,iVBORw0KGgo=";

  test.each([
    [png, true],
    ["data:image/jpeg;base64,AAAA", true],
    ["data:image/svg+xml;base64,AAAA", true],
    ["https://example.com/logo.png", false],
    ["data:text/html;base64,AAAA", false],
    ["javascript:alert(1)", false],
  ])("%s is shown: %s", (logoUrl, isShown) => {
    const branding = { ...neutralBranding, displayName: "Acme", logoUrl };
    expect(embedLogo(branding)).toBe(isShown ? logoUrl : null);
    expect(renderReportHtml(model, branding).includes("<img")).toBe(isShown);
  });

  test("a logo has the partner's name as its alternative text", () => {
    expect(renderReportHtml(model, { ...neutralBranding, displayName: 'A "B" & C', logoUrl: png })).toMatch(
      /alt="A (?:&quot;|&#34;)B(?:&quot;|&#34;) &amp; C"/,
    );
  });
});

test.each([
  ["#ABCDEF", "#abcdef"],
  ["red", "#0a6b70"],
  ["#fff", "#0a6b70"],
  ["#12345g", "#0a6b70"],
  ["#123456;}*{display:none", "#0a6b70"],
  [null, "#0a6b70"],
])("the accent %s is used as %s", (accentColor, used) => {
  expect(findValidAccent({ ...neutralBranding, accentColor })).toBe(used);
});

test("a page leads to its poster, unless the answers choose no value", () => {
  const page = {
    pdfPath: "/report.pdf",
    posterPath: "/poster.pdf",
    onwardPath: null,
    step: null,
    card: null,
    isTest: false,
  };
  const shown = renderReportHtml(reportWith({ 1: [24, 12] }), neutralBranding, page);
  for (const query of ["", "?paper=a3", "?paper=square"]) expect(shown).toContain(`href="/poster.pdf${query}"`);
  expect(renderReportHtml(reportWith({}), neutralBranding, page)).not.toContain("/poster.pdf");
});
