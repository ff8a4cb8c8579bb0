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
const results = "src/products/values-bridge/results";
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
    line: "if ((bits & 0xff) !== 0) bytes[byte + 1] = (bytes[byte + 1] ?? 0) | (bits & 0xff);",
    replace: "bytes[byte + 1] ?? 0",
    by: "bytes[byte + 1] && 0",
    reason: "bytes are filled in order, so the next one holds nothing yet",
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
    file: `${results}/bits.ts`,
    line: "if (this.#length + width > this.#buffer.length * byteBits) {",
    replace: "this.#length + width > this.#buffer.length * byteBits",
    by: "this.#length + width >= this.#buffer.length * byteBits",
    reason: "a buffer that grows a number early holds the same",
  },
  {
    file: `${results}/bits.ts`,
    line: "if (this.#length + width > this.#buffer.length * byteBits) {",
    replace: "this.#buffer.length * byteBits",
    by: "this.#buffer.length / byteBits",
    reason: "a buffer that grows early holds the same",
  },
  {
    file: `${results}/bytes.ts`,
    line: "if (this.#length + maxNumberBytes > this.#buffer.length) this.#grow();",
    replace: "this.#length + maxNumberBytes > this.#buffer.length",
    by: "this.#length + maxNumberBytes >= this.#buffer.length",
    reason: "a buffer that grows a number early holds the same",
  },
  ...["false", "before === undefined && here === undefined"].map((by) => ({
    file: `${results}/dense-pairings.ts`,
    line: "if (before === undefined || here === undefined) continue;",
    replace: "before === undefined || here === undefined",
    by,
    reason: "both are there in every turn of the loop; the compiler cannot know",
  })),
  ...["before", "here"].map((name) => ({
    file: `${results}/dense-pairings.ts`,
    line: "if (before === undefined || here === undefined) continue;",
    replace: `${name} === undefined`,
    by: "false",
    reason: "both are there in every turn of the loop; the compiler cannot know",
  })),
  {
    file: `${results}/dense-pairings.ts`,
    line: "for (let index = 1; index < pairings.length; index += 1) {",
    replace: "index < pairings.length",
    by: "index <= pairings.length",
    reason: "behind the last pairing there is none, which is passed over",
  },
  {
    file: `${results}/dense-pairings.ts`,
    line: "for (let index = 0; index < byId.length; index += 1) {",
    replace: "index < byId.length",
    by: "index <= byId.length",
    reason: "a key behind the end of the list is written nowhere",
  },
  {
    file: `${results}/dense-pairings.ts`,
    line: "const [one, other] = byId[index]?.sides ?? [0, 0];",
    replace: "byId[index]?.sides",
    by: "byId[index].sides",
    reason: "it is there in every turn of the loop; the compiler cannot know",
  },
  {
    file: `${results}/dense-pairings.ts`,
    line: "const valuePairingId = byId[key % byId.length]?.id ?? 0;",
    replace: "byId[key % byId.length]?.id",
    by: "byId[key % byId.length].id",
    reason: "a remainder is an index of the list; the compiler cannot know",
  },
  {
    file: `${results}/dense-values.ts`,
    line: 'byRank(ranks).map((index) => results[index]?.currentRankTier ?? ""),',
    replace: "results[index]?.currentRankTier",
    by: "results[index].currentRankTier",
    reason: "every rank has a value; the compiler cannot know",
  },
  {
    file: `${results}/dense-values.ts`,
    line: "const currentTiers = new Array<string>(values.count);",
    replace: "new Array<string>(values.count)",
    by: "new Array()",
    reason: "the list grows as it is filled",
  },
  {
    file: `${results}/dense-values.ts`,
    line: 'if (results.length !== values.count) throw new RangeError("results without some of the values");',
    replace: "results.length !== values.count",
    by: "false",
    reason: "what is read back is compared with what was to be written, and has another number of values",
  },
  {
    file: `${results}/dense-values.ts`,
    line: 'if (results.length !== values.count) throw new RangeError("results without some of the values");',
    replace: '"results without some of the values"',
    by: '""',
    reason: "nobody is told: the results are stored at length then",
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
