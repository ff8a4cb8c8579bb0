// npm run pictures: a contact sheet of every report and page, for people to look at: screenshots/index.html.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { provideBrowser } from "../../test/support/browser/provide.ts";
import { samples } from "./samples.ts";
import { renderSheet } from "./sheet.ts";
import { takePictures } from "./take.ts";

const usage = `npm run pictures -- [--language TAG] [--only TEXT] [--reports]
  --language TAG  reports in this language alone
  --only TEXT     of reports, those with this in their names
  --reports       without the hosted pages, which need a database`;

/** Where tests with SCREENSHOTS=1 put theirs, too. */
const folder = "screenshots";
/** Tests that show every page but those of the documentation, which are many, and have a test of their own. */
const pageTests = ["appearance", "ended", "own-report", "test-data"].map((name) => `test/pages/${name}.test.ts`);

try {
  const { values } = parseArgs({
    options: { language: { type: "string" }, only: { type: "string" }, reports: { type: "boolean" } },
  });
  await provideBrowser("chromium");
  if (values.only === undefined) rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/reports`, { recursive: true });
  const { language, only = "" } = values;
  const tasks = samples(language === undefined ? undefined : [language]).filter(({ name }) => name.includes(only));
  for await (const { name, png, document } of takePictures(tasks)) {
    writeFileSync(`${folder}/reports/${name}.png`, png);
    if (document !== undefined) writeFileSync(`${folder}/reports/${name}.pdf`, document);
    console.log(name);
  }
  if (values.reports !== true) await showPages();
  const files = readdirSync(folder, { recursive: true }).map(String);
  writeFileSync(`${folder}/index.html`, renderSheet(files));
  console.log(`${folder}/index.html`);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n${usage}`);
  process.exitCode = 1;
}

async function showPages(): Promise<void> {
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", "web", "--project", "looks", ...pageTests];
  const run = spawn(process.execPath, vitest, { stdio: "inherit", env: { ...process.env, SCREENSHOTS: "1" } });
  const [code] = await once(run, "exit");
  if (code !== 0) throw new Error("some pages have faults, which the tests above name; their pictures may be missing");
}
