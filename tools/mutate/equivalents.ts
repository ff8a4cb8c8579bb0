// Mutants that no test can notice, since they change nothing that anybody could see. Each was looked at; they are left out
// of the scores. test/repository/mutation.test.ts holds that their texts are still there.

export interface EquivalentMutant {
  readonly file: string;
  /** The line, without the spaces around it. */
  readonly line: string;
  /** What of it is replaced; all of it unless given. */
  readonly replace?: string;
  /** What Stryker puts in. */
  readonly by: string;
  readonly reason: string;
}

const groups = "src/products/values-bridge/groups";
const admission = "src/pipeline/limits/admission.ts";
const rateLimits = "src/pipeline/limits/rate-limits.ts";
const answerBytes = "src/store/sessions/answer-bytes.ts";
const randomPool = "src/domain/random-pool.ts";

export const equivalentMutants: readonly EquivalentMutant[] = [
  ...["true", "length >= poolBytes"].map((by) => ({
    file: randomPool,
    line: "if (length > poolBytes) return randomBytes(length);",
    replace: "length > poolBytes",
    by,
    reason: "bytes that come straight from the system are as random; that costs time alone",
  })),
  ...["true", "pool.length <= length"].map((by) => ({
    file: randomPool,
    line: "if (pool.length < length) pool = randomBytes(poolBytes);",
    replace: "pool.length < length",
    by,
    reason: "bytes of a pool that is drawn early are as random; that costs time alone",
  })),
  {
    file: "src/domain/identity/secrets.ts",
    line: "if (text.length !== bare + checksumLength) return false;",
    replace: "text.length !== bare + checksumLength",
    by: "false",
    reason: "what is left of a text of another length is no checksum, whose length is one",
  },
  {
    file: "src/domain/hosted/hosted-sessions.ts",
    line: "const own = url.search",
    replace: "url.search\n    .slice(1)",
    by: "url.search",
    reason: "a question mark before the first pair is dropped where the query is read and where it is set",
  },
  {
    file: "src/domain/audit/acts.ts",
    line: "resultOf: (result: T) => Partial<Act> = () => ({}),",
    replace: "() => ({})",
    by: "() => undefined",
    reason: "nothing is spread of either",
  },
  {
    file: "src/domain/identity/tokens.ts",
    line: "this.#scopeSets.set(key, known);",
    by: ";",
    reason: "tokens with the same scopes have sets of their own then, which cost memory alone",
  },
  {
    file: answerBytes,
    line: "for (let index = 0; index < answers.length; index += 1) bytes[index] = codeOf(answers[index], 0);",
    replace: "index < answers.length",
    by: "index <= answers.length",
    reason: "a byte behind the end of the buffer is written nowhere",
  },
  {
    file: answerBytes,
    line: "for (let index = 0; index < answers.length; index += 1) {",
    replace: "index < answers.length",
    by: "index <= answers.length",
    reason: "behind the last answer there is none, whose bits are zeros",
  },
  {
    file: answerBytes,
    line: "if ((bits & 0xff) !== 0) bytes[byte + 1] = (bytes[byte + 1] ?? 0) | (bits & 0xff);",
    replace: "(bits & 0xff) !== 0",
    by: "true",
    reason: "zeros are added to what is there",
  },
  {
    file: answerBytes,
    line: "const answers = new Array<number | null>(count);",
    replace: "new Array<number | null>(count)",
    by: "new Array()",
    reason: "the list grows as it is filled",
  },
  ...["true", "this.#waiting >= 0"].map((by) => ({
    file: admission,
    line: "if (this.#waiting > 0) this.#admitNext();",
    replace: "this.#waiting > 0",
    by,
    reason: "where nobody waits nobody is admitted",
  })),
  ...[
    { replace: "{ once: true }", by: "{}" },
    { replace: "true", by: "false" },
  ].map((each) => ({
    file: admission,
    line: 'signal.addEventListener("abort", leave, { once: true });',
    ...each,
    reason: "a signal aborts once, and whoever leaves takes the listener along",
  })),
  {
    file: rateLimits,
    line: "if (first !== undefined && this.#windows.size >= maxKeys) this.#windows.delete(first);",
    replace: "first !== undefined",
    by: "true",
    reason: "where there are windows there is a first one",
  },
  {
    file: rateLimits,
    line: "if (known !== undefined) return known;",
    replace: "known !== undefined",
    by: "false",
    reason: "a refusal that is made anew says the same",
  },
  {
    file: rateLimits,
    line: "this.#refusals.set(retryAfterSeconds, made);",
    by: ";",
    reason: "a refusal that is made anew says the same",
  },
  {
    file: `${groups}/summarise.ts`,
    line: "if (summary === null) return null;",
    replace: "summary === null",
    by: "false",
    reason: "a measure without a standard deviation has its value withheld, as one that is null",
  },
  {
    file: `${groups}/member.ts`,
    line: "totalGap: totalGap?.total ?? null,",
    replace: "totalGap?.total",
    by: "totalGap.total",
    reason: "whoever has all scores of both lives, as a member has, has a total gap",
  },
];
