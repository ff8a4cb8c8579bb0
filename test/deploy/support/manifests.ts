// Manifests of Kubernetes, held to the types of its API: a misspelt or misplaced member does not compile.
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { parseAllDocuments } from "yaml";

export interface Manifest {
  readonly file: string;
  readonly content: { readonly apiVersion: string; readonly kind: string; readonly [member: string]: unknown };
}

/** Packages with the types of an API group; that of the groups of Kubernetes itself has the name "". */
const packages: Readonly<Record<string, string>> = {
  "": "kubernetes-models",
  "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
};
const folder = ".vitest/manifests";

/** Every document of a folder's files, those for Kustomize itself left out. */
export function readManifests(folderOfFiles: string): Manifest[] {
  const files = globSync(`${folderOfFiles}/*.yaml`).filter((file) => basename(file) !== "kustomization.yaml");
  return files.sort().flatMap((file) => {
    const documents = parseAllDocuments(readFileSync(file, "utf8"), { strict: true });
    return documents.map((document) => ({ file, content: document.toJS({ maxAliasCount: 0 }) }));
  });
}

/** What the compiler has against manifests; empty: nothing. */
export async function findFaults(manifests: readonly Manifest[]): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/manifests.ts`, manifests.map(asTypeScript).join("\n"));
  const compilerOptions = { module: "nodenext", strict: true, noEmit: true, skipLibCheck: true, types: [] };
  await writeFile(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, files: ["manifests.ts"] }));
  return new Promise((resolve, reject) => {
    execFile("tsc", ["-p", folder, "--pretty", "false"], (error, stdout) => {
      if (error !== null && stdout === "") reject(error);
      else resolve(stdout);
    });
  });
}

function asTypeScript({ file, content }: Manifest, index: number): string {
  const { apiVersion, kind } = content;
  const group = apiVersion.includes(".coreos.com/") ? (apiVersion.split("/")[0] ?? "") : "";
  const name = `I${kind}`;
  const alias = `${name}${index}`;
  return `// ${file}
import type { ${name} as ${alias} } from "${packages[group]}/${apiVersion}/${kind}";
export const manifest${index}: ${alias} = ${JSON.stringify(content)};
`;
}
