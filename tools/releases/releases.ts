// What releases promised: releases/VERSION holds the protos (proto.binpb) and the OpenAPI document (openapi.json) of one.
import { readdirSync } from "node:fs";

/** Folder of the releases' files. */
export const releasesFolder = "releases";

/** Versions of all releases, the oldest first. A release is a folder named MAJOR.MINOR.PATCH. */
export function releasedVersions(): readonly string[] {
  return readdirSync(releasesFolder).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}
