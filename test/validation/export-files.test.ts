// An export as a file, read by what analysts read it with.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bodyOf, completedSession, newSession } from "../e2e/cases/case.ts";
import { addCaller } from "../support/app.ts";
import { exportSample, hostileFiles, writeHostileExport } from "../support/exports/hostile-ids.ts";
import { folderOfFile } from "../support/folders.ts";
import { appOfFile } from "../support/of-file.ts";
import { restTransport } from "../support/transports/rest-transport.ts";

const run = promisify(execFile);
const inUtf8 = { env: { ...process.env, LC_ALL: "C.UTF-8" } };
const externalId = 'O"Neil, Zoë';

const app = await appOfFile();
const folder = folderOfFile();
const token = (await addCaller(app)).token;
const transport = restTransport(app.httpUrl);
const world = { app, transport, alice: { token }, bob: { token } };
const groupId = bodyOf(await transport.createGroup(world.alice, { label: "Team" })).groupId;
const scoredSession = await completedSession(world, { subject: { externalId }, groupId });
await newSession(world);

const inPython = `import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="", encoding="utf-8")))
book = list(csv.DictReader(open(sys.argv[2], newline="", encoding="utf-8")))
print(json.dumps({"rows": rows, "names": [line["name"] for line in book], "book": book}))`;
const inR = `data <- read.csv(commandArgs(TRUE)[1], na.strings = "", encoding = "UTF-8")
cat(nrow(data), class(data$q001), class(data$total_gap), data$q001[1], is.na(data$q001[2]), is.na(data$total_gap[2]),
  data$external_id[1] == "O\\"Neil, Zo\\u00eb", sep = "|")`;

async function download(path: string, name: string): Promise<string> {
  const file = join(folder, name);
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${app.httpUrl}/v1/values-bridge/exports/${path}`, { headers });
  await writeFile(file, await response.text());
  return file;
}

test("a CSV is read by Python: a row a session, a column for each line of the codebook, missing values empty", async () => {
  const file = await download("sessions?format=csv", "sessions.csv");
  const codebook = await download("codebook?format=csv", "codebook.csv");
  const { stdout } = await run("python3", ["-c", inPython, file, codebook]);
  const { rows, names, book } = JSON.parse(stdout);
  const [question] = scoredSession.assessment.questions;
  expect(book.find(({ name }: { name: string }) => name === "q001")).toMatchObject({
    value_id: String(question?.valuesBridgeConfig?.valueId),
    value_name: question?.valuesBridgeConfig?.valueName,
    life_context: "ideal",
    inverse: String(question?.valuesBridgeConfig?.inverse),
    omega_weight: String(question?.valuesBridgeConfig?.omegaWeight),
    statement_number: expect.stringMatching(/^[1-4]$/),
  });
  expect(book[0]).toMatchObject({ name: "session_id", value_id: "", inverse: "", statement_number: "" });
  expect(rows).toHaveLength(2);
  expect(Object.keys(rows[0])).toEqual(names);
  const { results } = scoredSession.completed;
  expect(rows[0]).toMatchObject({
    session_id: scoredSession.sessionId,
    external_id: externalId,
    status: "completed",
    group_id: groupId,
    archetype: String(results?.overall.archetypeId),
    shown_language: "",
    first_life_context: "ideal",
    attempt: "1",
    grade: "caution",
    seconds_per_answer: "",
    q001: String(scoredSession.answers[0]?.response.value),
    q152: String(scoredSession.answers[151]?.response.value),
  });
  const [value] = results?.values ?? [];
  const prefix = `v${String(value?.valueId).padStart(2, "0")}`;
  expect(rows[0][`${prefix}_gap`]).toBe(String(value?.authenticityGapScaled));
  expect(rows[0][`${prefix}_ideal_rank`]).toBe("1");
  const { completed_at, group_id, attempt, grade, q001, archetype, total_gap } = rows[1];
  const missing = [completed_at, group_id, attempt, grade, q001, archetype, total_gap];
  expect(missing).toEqual(missing.map(() => ""));
});

test("a CSV is read by R, with numbers as numbers and missing values as NA", async () => {
  const file = await download("sessions?format=csv", "sessions-r.csv");
  expect(await readFile(file, "utf8")).toContain("total_gap");
  const { stdout } = await run("Rscript", ["-e", inR, file], inUtf8);
  expect(stdout).toBe(`2|integer|numeric|${scoredSession.answers[0]?.response.value}|TRUE|TRUE|TRUE`);
});

test("the guide's sample of R keeps external ids as text, byte for byte", async () => {
  const script = `${exportSample("r")}writeLines(sessions$external_id); cat(nrow(codebook) == ncol(sessions))`;
  for (const ids of hostileFiles) {
    await writeHostileExport(app, folder, ids);
    const { stdout } = await run("Rscript", ["-e", script], { ...inUtf8, cwd: folder });
    expect(stdout.split("\n")).toEqual([...ids, "TRUE"]);
  }
});
