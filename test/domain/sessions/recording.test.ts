// When answers arrived, and in which language the statements were shown, as calls come in.
import { expect, test } from "vitest";
import { knownArrivals, recordingOf } from "../../../src/domain/sessions/answers.ts";
import type { StoredSession } from "../../../src/domain/sessions/session-port.ts";
import { noEndTimes } from "../../../src/kernel/session-states.ts";
import { at, someSession } from "../../support/builders.ts";

const fresh: StoredSession = {
  ...someSession(),
  ...noEndTimes,
  answersDeletedAt: null,
  resultsDeletedAt: null,
  revision: 0,
  lifecycleWrites: 0,
  answers: [],
  arrivals: null,
  shownLanguage: null,
};

/** The session after calls that answer one more question each, at these times and in these languages. */
function after(calls: readonly (readonly [ms: number, language: string | null])[]): StoredSession {
  let session = fresh;
  for (const [place, [ms, shownLanguage]] of calls.entries()) {
    const sheet = [...session.answers, 3];
    const recording = recordingOf(session, { sheet, recorded: place + 1, shownLanguage }, at(ms).getTime());
    session = { ...session, ...recording, revision: session.revision + 1 };
  }
  return session;
}

test("the first call is kept with how many questions it answered, and the last one with how many there were", () => {
  const session = after([
    [1000, null],
    [2000, null],
    [5000, null],
  ]);
  const expected = { firstAnswerAt: at(1000), lastAnswerAt: at(5000), answerCalls: 3, firstCallAnswers: 1 };
  expect(session.arrivals).toEqual(expected);
  expect(knownArrivals(session)).toEqual(expected);
});

test("the language is known if it was the same in every call", () => {
  const language = (...languages: (string | null)[]) =>
    after(languages.map((each, place) => [place, each])).shownLanguage;
  expect(language("de", "de", "de")).toBe("de");
  expect(language("de", "en")).toBeNull();
  expect(language("de", "en", "de")).toBeNull();
  expect(language(null, "de")).toBeNull();
  expect(language("de", null)).toBeNull();
});

test("times are not known if a release that does not keep them wrote answers, before or in between", () => {
  const before: StoredSession = { ...fresh, revision: 1, answers: [3] };
  expect(recordingOf(before, { sheet: [3, 4], recorded: 1, shownLanguage: null }, 0).arrivals).toBeNull();
  const session = after([[1000, null]]);
  const between = { ...session, revision: session.revision + 1 };
  expect(knownArrivals(between)).toBeNull();
  expect(recordingOf(between, { sheet: [3, 4], recorded: 1, shownLanguage: null }, 0).arrivals).toBeNull();
});

test("expiring and being reopened leave the times known, before the last call and behind it", () => {
  const [first] = [after([[1000, null]])];
  const reopened = { ...first, revision: first.revision + 2, lifecycleWrites: 2 };
  expect(knownArrivals(reopened)).toEqual(first.arrivals);
  const { arrivals } = recordingOf(reopened, { sheet: [3, 4], recorded: 1, shownLanguage: null }, at(5000).getTime());
  expect(arrivals).toEqual({ firstAnswerAt: at(1000), lastAnswerAt: at(5000), answerCalls: 2, firstCallAnswers: 1 });
  const untimed = { ...reopened, revision: reopened.revision + 1 };
  expect(knownArrivals(untimed)).toBeNull();
});

test("completing without answers leaves the times known", () => {
  const session = after([[1000, null]]);
  const completed = { ...session, revision: session.revision + 1, completedAt: at(9000) };
  expect(knownArrivals(completed)).toEqual(session.arrivals);
});
