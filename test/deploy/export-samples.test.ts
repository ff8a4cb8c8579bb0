// The guide's sample of pandas reads external ids as they were given.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { exportSample, hostileFiles, writeHostileExport } from "../support/exports/hostile-ids.ts";
import { folderOfTest } from "../support/folders.ts";
import { appOfTest } from "../support/of-test.ts";
import { provide, provideLibrary } from "../support/run/programs.ts";

test("pandas keeps external ids as text, byte for byte", async () => {
  await provideLibrary("/usr/lib/python3/dist-packages/pandas/__init__.py");
  const python = await provide("/usr/bin/python3");
  const app = await appOfTest();
  const folder = folderOfTest();
  const print = "import json; print(json.dumps([list(sessions.external_id), str(sessions.completed_at.dtype)]))";
  const program = ["import pandas", exportSample("python"), print].join("\n");
  for (const ids of hostileFiles) {
    await writeHostileExport(app, folder, ids);
    const { stdout } = await promisify(execFile)(python, ["-c", program], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([ids, expect.stringContaining("datetime")]);
  }
});
