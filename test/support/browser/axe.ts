// What stands in people's way on a page, by every rule of axe.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Every violation on the page as it stands, in words. */
export async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(source);
  // What passes is not described, and nothing is searched for once more by a selector.
  const options = JSON.stringify({ resultTypes: ["violations"], selectors: false });
  const run = `axe.run(document, ${options}).then(({ violations }) => violations)`;
  const violations = (await page.evaluate(run)) as Violation[];
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
}
