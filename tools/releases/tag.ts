// Whether the commit that is checked out can be tagged as a release: `node tools/releases/tag.ts` says what is missing, or
// prints the commands that tag it, and that make what is published: the package, what is in it, and the image.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { releaseFiles, releasesFolder } from "./releases.ts";
import { whatIsMissing } from "./tag-check.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8" }).trim();
const missing = whatIsMissing({
  version,
  changelog: readFileSync("CHANGELOG.md", "utf8"),
  files: releaseFiles.filter((name) => existsSync(`${releasesFolder}/${version}/${name}`)),
  changed: git("status", "--porcelain"),
  tags: git("tag", "--list").split("\n"),
});
if (missing.length > 0) {
  for (const each of missing) process.stderr.write(`${each}\n`);
  process.exitCode = 1;
} else {
  const name = `partner-assessment-service-${version}`;
  const commands = [
    `git tag --annotate v${version} --message ${version}`,
    `git push origin v${version}`,
    "npm pack",
    `npm sbom --omit dev --sbom-format cyclonedx > ${name}.cdx.json`,
    `sha256sum ${name}.tgz ${name}.cdx.json > ${name}.sha256`,
    `buildah build --file deploy/Containerfile --tag partner-assessment-service:${version} .`,
  ];
  process.stdout.write(`${commands.join("\n")}\n`);
}
