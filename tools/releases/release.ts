// A release of the commit that is checked out: `node tools/releases/release.ts` says what is missing, or prints the commands
// that make the package, those of the clients, the list of its parts, the image, sums of all and the tag; with `--do` it runs them.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { pythonPackage, typescriptPackage } from "./client-packages.ts";
import { writtenPromises } from "./promises.ts";
import { releaseFiles, releasesFolder } from "./releases.ts";

const { values: options } = parseArgs({
  options: {
    do: { type: "boolean", default: false },
    /** The base of the image, by its digest: `docker.io/library/node@sha256:…`. */
    "node-image": { type: "string", default: "docker.io/library/node:24-trixie-slim" },
  },
});
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8" }).trim();
const missing = [...listFaults()];
if (missing.length > 0) {
  for (const each of missing) process.stderr.write(`${each}\n`);
  process.exitCode = 1;
} else {
  const hasBuildah = spawnSync("buildah", ["--version"]).status === 0;
  const commands = listCommands(git("rev-parse", "HEAD"), hasBuildah);
  if (options.do) process.exitCode = spawnSync("sh", ["-exc", commands.join("\n")], { stdio: "inherit" }).status ?? 1;
  else process.stdout.write(`${commands.join("\n")}\n`);
  if (!hasBuildah)
    process.stderr.write("THERE IS NO IMAGE: buildah is missing. `apt-get install buildah` brings it.\n");
  if (!process.exitCode)
    process.stderr.write(`Then publish what is in release/, and \`git push origin v${version}\`.\n`);
}

/** What the commit lacks to be a release, a sentence each. */
function* listFaults(): Generator<string> {
  const heading = readFileSync("CHANGELOG.md", "utf8").match(/^## .+$/m)?.[0] ?? "";
  if (!/^## \S+ - \d{4}-\d\d-\d\d$/.test(heading) || !heading.startsWith(`## ${version} - `)) {
    yield `The first heading of CHANGELOG.md has to be \`## ${version} - \` and the date; it is \`${heading}\`.`;
  }
  const promises = writtenPromises();
  for (const name of releaseFiles) {
    const file = `${releasesFolder}/${version}/${name}`;
    const promise = promises.get(name);
    if (!existsSync(file)) yield `${file} is missing: node tools/releases/write.ts`;
    else if (promise?.equals(readFileSync(file)) === false) {
      yield `${file} is that of before: node tools/releases/write.ts`;
    }
  }
  if (git("status", "--porcelain") !== "") yield "Something is not committed.";
  if (git("tag", "--list", `v${version}`) !== "") {
    yield `There is a tag v${version} already: count the version of package.json up.`;
  }
}

/** In the order in which they run: where one fails, nothing is tagged. */
function listCommands(revision: string, hasBuildah: boolean): string[] {
  const name = `partner-assessment-service-${version}`;
  const image = `partner-assessment-service:${version}`;
  const build = `buildah build --format docker --file deploy/Containerfile --build-arg NODE_IMAGE=${options["node-image"]}`;
  return [
    "rm -rf release && mkdir release",
    "npm pack --pack-destination release",
    ...typescriptPackage("release"),
    ...pythonPackage("release"),
    `node tools/examples/write.ts release && mv release/postman.json release/${name}.postman.json`,
    `npm sbom --omit dev --sbom-format cyclonedx > release/${name}.cdx.json`,
    ...(hasBuildah
      ? [
          `${build} --build-arg REVISION=${revision} --tag ${image} .`,
          `buildah push ${image} docker-archive:release/${name}.image.tar:${image}`,
        ]
      : []),
    `(cd release && sha256sum partner* > SHA256SUMS)`,
    `git tag --annotate v${version} --message ${version}`,
  ];
}
