// The release that runs.
import packageJson from "../../package.json" with { type: "json" };

/** Version of this release, as in package.json: MAJOR.MINOR.PATCH. */
export const releaseVersion: string = packageJson.version;
