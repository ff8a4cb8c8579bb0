// What the command line tells of a person: P10 and P11, who it is told of, and what it says where there is nothing.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addCaller, startTestApp, type TestApp } from "../../support/app.ts";
import { runPas } from "../../support/processes/program.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { vector } from "../../values-bridge/quality/vectors.ts";
import { toldSpeed, workedTimes, wrongInChange } from "../../values-bridge/quality/worked-sessions.ts";
import { answer, bodyOf } from "../cases/case.ts";
import { attentive } from "./people.ts";
import { type Asker, readers } from "./readers.ts";

const { first, second } = vector<Record<"first" | "second", readonly (number | null)[]>, unknown>("P11").input;

let app: TestApp;
let as: Asker;
beforeAll(async () => {
  app = await startTestApp();
  as = await addCaller(app);
});
afterAll(() => app.stop());

const reader = () => {
  const open = readers["the command line"];
  if (open === undefined) throw new Error("no command line");
  return open(app);
};
const run = (...words: string[]) => runPas(words, { DATABASE_URL: app.database.url });

/** Completes a session of a person. @returns its id */
async function complete(externalId: string, answers: readonly (number | null)[]): Promise<string> {
  const transport = restTransport(app.httpUrl);
  const { sessionId, assessment } = bodyOf(
    await transport.createSession({ token: as.token }, { subject: { externalId } }),
  );
  const given = assessment?.questions.flatMap(({ id }, index) => {
    const rating = answers[index] ?? null;
    return rating === null ? [] : [answer(id, rating)];
  });
  bodyOf(await transport.completeSession({ token: as.token }, sessionId, given));
  return sessionId;
}

test("P10: the export of a person tells the speed of answers as the case says", async () => {
  await complete("fast or slow", attentive);
  for (const { firstMs, lastMs, calls, firstCount, expected } of workedTimes) {
    const start = Date.UTC(2026, 10, 20);
    await app.database.connection.execute(
      "UPDATE sessions SET first_answer_at = ?, last_answer_at = ?, answer_calls = ?, first_call_answers = ? WHERE external_id = ?",
      [new Date(start + firstMs), new Date(start + lastMs), calls, firstCount, "fast or slow"],
    );
    expect(toldSpeed(await reader().quality(as, "fast or slow"))).toEqual(expected);
  }
});

test("P11: the change between two sessions is what the case says, and it is recorded who read it", async () => {
  const ids = [await complete("changed", first), await complete("changed", second)];
  expect(wrongInChange(await reader().change(as, "changed"))).toEqual([]);
  const { stdout } = await run("audit", "export", "--partner", as.partnerId);
  const records = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  const reads = records.filter(({ action }) => action === "change.read");
  expect(reads.map(({ sessionId }) => sessionId).toSorted()).toEqual(ids.toSorted());
  expect(reads.map(({ requestId }) => requestId)).toEqual(["command-line", "command-line"]);
});

test("what is not there is refused in words", async () => {
  const partner = ["--partner", as.partnerId];
  await complete("only once", first);
  expect(await run("subject", "change", ...partner, "--external-id", "only once")).toEqual({
    code: 1,
    stdout: "",
    stderr: "pas: there are no two such completed sessions, with answers, of such a person\n",
  });
  expect(await run("norms", "show", ...partner, "--assessment-version", "9")).toEqual({
    code: 1,
    stdout: "",
    stderr: "pas: there is no such product or version; `pas assessment list` shows those that there are\n",
  });
  const unknown = await run("norms", "show", ...partner, "--language", "ja");
  expect(unknown).toMatchObject({ code: 1, stdout: "" });
  expect(unknown.stderr).toContain("The version has statements in these languages: en, de");
});
