// "A study", from the first invitation to validation.json: the commands of the page as they stand, in the order of its
// rehearsal, with the made-up people of the kit in a test twin.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { runKit } from "../../tools/validation/kit.ts";
import { addTwinCaller } from "../support/app.ts";
import { folderOfTest } from "../support/folders.ts";
import { appOfTest } from "../support/of-test.ts";
import { provide } from "../support/run/programs.ts";
import { read } from "../validation/support/found.ts";

const run = promisify(execFile);
/** Of made-up people; three more are invited and do not come. */
const people = 12;

test("the page leads from an invitation, over the same people two weeks later, to the kit", async () => {
  await provide("jq");
  await provide("Rscript");
  const app = await appOfTest();
  const folder = folderOfTest();
  const { token } = await addTwinCaller(app, await app.addPartner());
  const page = await readFile("docs/studies.md", "utf8");
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);
  const [folderOf, invite, exportStudy, again, rehearse, answer, clock] = [
    ...["mkdir -p -m 700", "invite() {", "export_study() {", "again.txt", "--rehearse", "answer() {", "/test/clock"],
  ].map((words) => blocks.find((block) => block.includes(words)) ?? "false\n");
  const program = [
    ...[folderOf, invite, exportStudy, rehearse?.replace("head -n 320", `head -n ${people}`)],
    ...['invite first < "$STUDY/people.txt"\n', answer, "export_study\n", clock, again],
    ...["answer second\n", "export_study\n", 'echo; echo "$STUDY"'],
  ].join("");
  expect(program).toContain(`head -n ${people} "`);
  const env = { ...process.env, PAS_URL: app.httpUrl, TOKEN: token, STUDY: join(folder, "study") };
  // Debian's bash takes a program on a socket for one of a remote login, and would read bashrc.
  const options = ["--norc", "-eu", "-o", "pipefail"];
  const { stdout } = await run("bash", [...options, "-c", program], { env, timeout: 15 * 60_000 });
  const study = stdout.trim().split("\n").at(-1) ?? "";
  expect(study).toBe(join(folder, "study/rehearsal"));
  const [head = "", ...rows] = (await readFile(join(study, "sessions.csv"), "utf8")).trim().split("\r\n");
  const attempt = head.split(",").indexOf("attempt");
  const attempts = rows.map((row) => row.split(",")[attempt]);
  expect(attempts.toSorted()).toEqual([...Array(3).fill(""), ...Array(people).fill("1"), ...Array(people).fill("2")]);
  const files = [join(study, "sessions.csv"), join(study, "codebook.json")];
  const ran = runKit([...files, "--only=retest", "--retest", `--out=${study}`]);
  expect(ran).toMatchObject({ status: 0, stderr: "" });
  const { counts, retest } = read(await readFile(join(study, "validation.json"), "utf8"));
  expect(counts).toMatchObject({ sessions: 3 + 2 * people, notCompleted: 3, repeatedTooSoonOrLate: 0 });
  expect(retest).toMatchObject({ state: "too_few", n: counts.people, needed: 100 });
});
