// The release that runs.
import { readFileSync } from "node:fs";

// Read at run time, not imported: source and packaged build are at the same depth below it.
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** Version of this release, as in package.json: MAJOR.MINOR.PATCH. */
export const releaseVersion: string = version;
