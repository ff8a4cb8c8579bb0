// In which language the statements were shown, as calls come in.
import { expect, test } from "vitest";
import { recordingOf } from "../../../src/domain/sessions/answers.ts";
import type { StoredSession } from "../../../src/domain/sessions/session.ts";
import { insertedSession } from "../../../src/store/sessions/session-columns.ts";
import { at, someSession } from "../../support/builders.ts";

const fresh = insertedSession(someSession());

/** The session after calls that answer one more question each, at these times and in these languages. */
function after(calls: readonly (readonly [ms: number, language: string | null])[]): StoredSession {
  let session = fresh;
  for (const [place, [ms, shownLanguage]] of calls.entries()) {
    const ratings = [...session.answers, 3];
    const recording = recordingOf(session, { ratings, recordedCount: place + 1, shownLanguage }, at(ms).getTime());
    session = { ...session, ...recording, revision: session.revision + 1 };
  }
  return session;
}

test("the language is known if it was the same in every call", () => {
  const language = (...languages: (string | null)[]) =>
    after(languages.map((each, place) => [place, each])).shownLanguage;
  expect(language("de", "de", "de")).toBe("de");
  expect(language("de", "en")).toBeNull();
  expect(language("de", "en", "de")).toBeNull();
  expect(language(null, "de")).toBeNull();
  expect(language("de", null)).toBeNull();
});
