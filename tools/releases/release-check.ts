// What a commit lacks to be a release.
import { releaseFiles, releasesFolder } from "./releases.ts";

export interface Candidate {
  /** That of package.json. */
  readonly version: string;
  /** The text of CHANGELOG.md. */
  readonly changelog: string;
  /** Names of the files of this release that are there. */
  readonly files: readonly string[];
  /** Names of those that are not what the source makes. */
  readonly outdated: readonly string[];
  /** What is not committed, as git tells it. */
  readonly changed: string;
  readonly tags: readonly string[];
}

/** What is missing, a sentence each; nothing: it can be tagged. */
export function whatIsMissing({ version, changelog, files, outdated, changed, tags }: Candidate): string[] {
  const heading = changelog.match(/^## .+$/m)?.[0] ?? "";
  const isDated = /^## \S+ - \d{4}-\d\d-\d\d$/.test(heading) && heading.startsWith(`## ${version} - `);
  const lacking = releaseFiles.filter((name) => !files.includes(name));
  return [
    ...(isDated
      ? []
      : [`The first heading of CHANGELOG.md has to be \`## ${version} - \` and the date; it is \`${heading}\`.`]),
    ...lacking.map((name) => `${releasesFolder}/${version}/${name} is missing: node tools/releases/write.ts`),
    ...outdated.map((name) => `${releasesFolder}/${version}/${name} is that of before: node tools/releases/write.ts`),
    ...(changed === "" ? [] : ["Something is not committed."]),
    ...(tags.includes(`v${version}`)
      ? [`There is a tag v${version} already: count the version of package.json up.`]
      : []),
  ];
}
