// The guide's sample of pandas reads external ids as they were given.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { startTestApp } from "../support/app.ts";
import { exportSample, hostileFiles, writeHostileExport } from "../support/exports/hostile-ids.ts";
import { provide, provideLibrary } from "../support/programs.ts";

test("pandas keeps external ids as text, byte for byte", async () => {
  await provideLibrary("/usr/lib/python3/dist-packages/pandas/__init__.py");
  const python = await provide("/usr/bin/python3");
  const app = await startTestApp();
  onTestFinished(() => app.stop());
  const folder = await mkdtemp(join(tmpdir(), "pas-pandas-test-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const print = "import json; print(json.dumps([list(sessions.external_id), str(sessions.completed_at.dtype)]))";
  const program = ["import pandas", exportSample("python"), print].join("\n");
  for (const ids of hostileFiles) {
    await writeHostileExport(app, folder, ids);
    const { stdout } = await promisify(execFile)(python, ["-c", program], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual([ids, expect.stringContaining("datetime")]);
  }
});
