// Responses of a recording as the reference shows them: one for each operation and success, and the refusal of a request
// that breaks a rule, or of a token. Ids, times and secrets are made-up ones, and lists are cut.

import type { ResponseExamples } from "../../../tools/openapi/response-examples.ts";
import type { OpenApiDocument } from "../openapi.ts";

const methods = ["post", "put", "get", "patch", "delete"] as const;
/** Longer examples give way to shorter ones, if there are any. */
const maxLength = 2_500;
const maxItems = 2;
/** Lists that are one thing: a scale without all of its steps would be another. */
const wholeLists: readonly string[] = ["choices"];
const maxLines = 3;
const maxLineLength = 200;

/** A response of the recording; its text is masked. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** The examples, by operation and status. */
export function examplesOf(responses: readonly Recorded[], { paths }: OpenApiDocument): ResponseExamples {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/?]+")}(?:\\?|$)`);
      return operation === undefined ? [] : [{ id: operation.operationId, method, pattern }];
    }),
  );
  const examples: Record<string, Record<string, string>> = {};
  for (const { id, method, pattern } of operations) {
    const own = responses.filter((each) => each.method.toLowerCase() === method && pattern.test(each.path));
    for (const status of new Set(own.map((each) => each.status))) {
      const same = own.filter((each) => each.status === status);
      const texts = same.flatMap((each) => formatShown(each, maxItems));
      const fitting = texts.filter((text) => lengthOf(text) <= maxLength);
      // The first refusal says one thing; the longest success shows most.
      const longest =
        fitting.toSorted(byLength).at(-1) ?? same.flatMap((each) => formatShown(each, 1)).toSorted(byLength)[0];
      const best = status < 400 ? longest : texts.find((text) => /"code": "invalid_request"|"error":/.test(text));
      if (best !== undefined) examples[id] = { ...examples[id], [status]: best };
    }
  }
  return examples;
}

const byLength = (one: string, other: string) => lengthOf(one) - lengthOf(other);

/** Of a text without the lists that are shown whole. */
function lengthOf(text: string): number {
  return text.replaceAll(/"choices": \[[^\]]*\]/g, "").length;
}

function formatShown({ type, text }: Recorded, items: number): string[] {
  const example = withMadeUpValues(text);
  if (/^application\/(?:problem\+)?json/.test(type)) return [JSON.stringify(cut(JSON.parse(example), items), null, 2)];
  if (!/^(?:text\/csv|application\/x-ndjson)/.test(type)) return [];
  const lines = example.split("\n").slice(0, maxLines);
  return [lines.map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line)).join("\n")];
}

function withMadeUpValues(text: string): string {
  const last = (number: string) => Number(number).toString(16).padStart(4, "0");
  return text
    .replaceAll("http://service", "https://assess.example")
    .replaceAll(/_id-(\d+)/g, (_, number: string) => `_019b2f7c41d27a3e9c0d5f1a2b3c${last(number)}`)
    .replaceAll(/\bid-(\d+)\b/g, (_, number: string) => `019b2f7c-41d2-7a3e-9c0d-5f1a2b3c${last(number)}`)
    .replaceAll("<time>", "2026-11-21T15:04:05.123Z")
    .replaceAll("<day>", "21 November 2026")
    .replaceAll("<cursor>", "1042")
    .replaceAll("<number>", "42")
    .replaceAll("<secret>", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    .replaceAll("/hosted/<token>", "/hosted/pas_hl_UZnHLTS9t6J6FM8OaE2ivG3F")
    .replaceAll("/reports/<token>", "/reports/pas_rl_TJb98MoqXruLz3HP1Q5gcKYd")
    .replaceAll('"hash":"<token>"', '"hash":"5d0f8d2d0b1c7a0c3c3b7c4f1a9e6b2d8f7e6d5c4b3a29181706f5e4d3c2b1a0"')
    .replaceAll("<token>", "pas_at_cfGPN5H3R3bIz56Qd71hXw0s")
    .replaceAll('"requestId":"recorded"', '"requestId":"0a4f1c8e-6d0b-4c55-9b0e-2f7d3c1a9e42"');
}

/** The value with the beginnings of its lists. */
function cut(value: unknown, items: number): unknown {
  if (Array.isArray(value)) return value.slice(0, items).map((item) => cut(item, items));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    wholeLists.includes(name) ? member : cut(member, items),
  ]);
  return Object.fromEntries(members);
}
