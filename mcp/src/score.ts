// Scores answers without a service, by the program `pas`.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Refused } from "./service.ts";
import type { Settings } from "./settings.ts";

const run = promisify(execFile);
const timeoutMs = 60_000;
const maxOutputBytes = 4 << 20;

export interface OfflineAnswer {
  readonly questionId: number;
  readonly value: number;
}

/** The results, as JSON text. Throws Refused in the words of `pas`. */
export async function scoreOffline(answers: readonly OfflineAnswer[], { pas, assessment }: Settings): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pas-mcp-"));
  const file = join(folder, "answers.json");
  const likert = answers.map(({ questionId, value }) => ({ questionId, response: { type: "likert", value } }));
  try {
    await writeFile(file, JSON.stringify({ answers: likert }), { mode: 0o600 });
    const options = { timeout: timeoutMs, maxBuffer: maxOutputBytes };
    const { stdout } = await run(pas, ["score", "--assessment", assessment, "--answers", file], options);
    return stdout;
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    throw new Refused(stderr.trim() || "The program pas cannot be run; name it by --pas.");
  } finally {
    await rm(folder, { recursive: true });
  }
}
