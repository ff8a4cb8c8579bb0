// The licences of all packages that a production install brings: those of the lockfile that are not for development.
import { existsSync, readFileSync } from "node:fs";
import { table } from "../markdown.ts";

export interface PackageLicence {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string;
}

interface Manifest {
  readonly version: string;
  readonly license?: string;
  /** As packages named them before there were SPDX expressions. */
  readonly licenses?: readonly { readonly type: string }[];
}

interface LockedPackage extends Manifest {
  readonly dev?: boolean;
}

/** Licences that ask for nothing but that their text and notices are kept; MPL-2.0 also that changed files of it stay open. */
const allowedLicences: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MPL-2.0",
  "OFL-1.1",
]);

/** Every package, by name and version. What is not installed on this platform has the licence that the lockfile names. */
export function productionLicences(): PackageLicence[] {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  const licences = Object.entries(packages)
    .filter(([path, { dev }]) => path !== "" && dev !== true)
    .map(([path, lockedPackage]) => {
      const { version, license, licenses = [] } = installed(path) ?? lockedPackage;
      const name = path.slice(path.lastIndexOf("node_modules/") + 13);
      return { name, version, licence: license ?? licenses[0]?.type ?? "none" };
    });
  const unique = new Map(licences.map((each) => [`${each.name} ${each.version}`, each]));
  return [...unique.keys()].sort().flatMap((key) => unique.get(key) ?? []);
}

function installed(path: string): Manifest | undefined {
  const file = `${path}/package.json`;
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Manifest) : undefined;
}

/** Whether an SPDX expression can be met by licences of the list: each of those joined by AND, one of those joined by OR. */
export function isAllowed(expression: string): boolean {
  const bare = expression.replaceAll(/[()]/g, "");
  if (bare.includes(" AND ") && bare.includes(" OR ")) return false;
  if (bare.includes(" OR ")) return bare.split(" OR ").some((each) => allowedLicences.has(each));
  return bare.split(" AND ").every((each) => allowedLicences.has(each));
}

/** The page that lists them. */
export function licencesPage(): string {
  const licences = productionLicences();
  const counts = Map.groupBy(licences, ({ licence }) => licence);
  const byCount = [...counts].sort(
    ([one, ones], [other, others]) => others.length - ones.length || (one < other ? -1 : 1),
  );
  return `# Licences of dependencies

Everything that \`npm ci --omit=dev\` installs, on any platform, with the licence that the package itself names; each
package brings its text in its folder of \`node_modules\`. All of them ask for nothing but that text and notices are kept; MPL-2.0 also that
files of the package that somebody changes stay open.
This page is written by \`npm run docs\`.

${table(
  ["Licence", "Packages"],
  byCount.map(([licence, packages]) => [licence, packages.length]),
)}

${table(
  ["Package", "Version", "Licence"],
  licences.map(({ name, version, licence }) => [`\`${name}\``, version, licence]),
)}
`;
}
