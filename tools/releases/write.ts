// node tools/releases/write.ts: writes what a release keeps to releases/VERSION, VERSION that of package.json.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { makeDatabase } from "./make-database.ts";
import { writtenPromises } from "./promises.ts";
import { releasesFolder } from "./releases.ts";

const folder = join(releasesFolder, packageJson.version);
mkdirSync(folder, { recursive: true });
for (const [name, content] of writtenPromises()) writeFileSync(join(folder, name), content);
const { sql, answers } = await makeDatabase();
writeFileSync(join(folder, "database.sql"), sql);
writeFileSync(join(folder, "database.json"), `${JSON.stringify(answers)}\n`);
