// The release that runs.
import { readFileSync } from "node:fs";

// Read, not imported: it lies as deep above the source as above what is built from it for the package.
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** Version of this release, as in package.json: MAJOR.MINOR.PATCH. */
export const releaseVersion: string = version;
