// What the source promises now, as a release keeps it.
import { execFileSync } from "node:child_process";
import { openApiDocument } from "../docs/pages/openapi-document.ts";

/** The bytes of files, by name. */
export async function writtenPromises(): Promise<ReadonlyMap<string, Buffer>> {
  const document = JSON.stringify(openApiDocument());
  // As the check of the repository wants files to be.
  const format = ["format", "--stdin-file-path", "openapi.json"];
  const maxBuffer = 1 << 26;
  return new Map([
    ["openapi.json", execFileSync("biome", format, { input: document, maxBuffer })],
    [
      "proto.binpb",
      execFileSync("buf", ["build", ".", "--path", "proto/assessment", "--exclude-source-info", "-o", "-"]),
    ],
  ]);
}
