// Whether the commit that is checked out can be tagged as a release: `node tools/releases/tag.ts` says what is missing, or
// prints the commands that tag it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { releasesFolder } from "./releases.ts";
import { whatIsMissing } from "./tag-check.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8" }).trim();
const missing = whatIsMissing({
  version,
  changelog: readFileSync("CHANGELOG.md", "utf8"),
  files: ["proto.binpb", "openapi.json"].filter((name) => existsSync(`${releasesFolder}/${version}/${name}`)),
  changed: git("status", "--porcelain"),
  tags: git("tag", "--list").split("\n"),
});
if (missing.length > 0) {
  for (const each of missing) process.stderr.write(`${each}\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(`git tag --annotate v${version} --message ${version}\ngit push origin v${version}\n`);
}
