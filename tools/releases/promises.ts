// What the source promises now, as a release keeps it.
import { execFileSync } from "node:child_process";

/** The bytes of files, by name. */
export function writtenPromises(): ReadonlyMap<string, Buffer> {
  const build = ["build", ".", "--path", "proto/assessment", "--exclude-source-info", "-o", "-"];
  return new Map([["proto.binpb", execFileSync("buf", build)]]);
}
