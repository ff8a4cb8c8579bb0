// Holds the protos to what the last release promised. The release's protos are a file, so a clone without tags tells too.
import { spawnSync } from "node:child_process";
import { releasedVersions, releasesFolder } from "./releases.ts";

const last = releasedVersions().at(-1);
if (last === undefined) throw new Error(`${releasesFolder} holds no release to compare with`);
const { status } = spawnSync("buf", ["breaking", "proto", "--against", `${releasesFolder}/${last}/proto.binpb`], {
  stdio: "inherit",
});
process.exitCode = status ?? 1;
