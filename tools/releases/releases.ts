// What releases promised: releases/VERSION holds the protos of one, a database of its own (database.sql), and what the
// service answered on that (database.json).
import { readdirSync } from "node:fs";

/** Folder of the releases' files. */
export const releasesFolder = "releases";

/** What the folder of each release has. */
export const releaseFiles: readonly string[] = ["database.json", "database.sql", "proto.binpb"];

/** Versions of all releases, the oldest first. A release is a folder named MAJOR.MINOR.PATCH. */
export function releasedVersions(): readonly string[] {
  return readdirSync(releasesFolder).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}
