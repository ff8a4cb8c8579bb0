// Requests whose headers or addresses cost a careless reader most.
import fc from "fast-check";
import type { WorstRequest } from "./send.ts";
import { repeated, worstTexts } from "./texts.ts";

/** What a header may hold beside the others: together they have 16 KiB. */
const headerLength = 15_000;

/** Headers that something reads, each with what looks like its own kind of text. */
const headerKinds: Readonly<Record<string, readonly string[]>> = {
  accept: ["parameters", "weights"],
  "accept-encoding": ["weights", "words of lists"],
  "accept-language": ["language tags", "private subtags", "subtags without an end", "weights"],
  authorization: ["a token in parts", "padding", "one long word"],
  "content-type": ["parameters", "quotes that never end"],
  cookie: ["pairs of cookies", "cookies without names", "quoted words"],
  expect: ["words of lists"],
  "idempotency-key": ["one long word"],
  "if-none-match": ["entity tags", "quotes that never end"],
  "partner-id": ["one long word"],
  range: ["ranges"],
  traceparent: ["dashes"],
  "user-agent": ["one long word"],
  "x-forwarded-for": ["addresses", "addresses of six parts", "empty members of a list"],
  "x-request-id": ["dashes"],
};
const affixes: Readonly<Record<string, [string, string]>> = {
  authorization: ["Bearer ", ""],
  cookie: ["a=", "; b=c"],
  "content-type": ["application/json;", ""],
};

/** Requests with one header that is the worst of its kind, and some with a header of another kind. */
export function withWorstHeaders(request: WorstRequest, seed: number): [string, WorstRequest][] {
  const length = headerLength - Object.values(request.headers).join("").length;
  const all = Object.entries(headerKinds).flatMap(([name, own]) =>
    worstTexts(length, affixes[name]).map(([kind, text]) => ({ name, kind, text, isOwn: own.includes(kind) })),
  );
  const others = all.filter(({ isOwn }) => !isOwn);
  const subset = [...all.filter(({ isOwn }) => isOwn), ...fc.sample(fc.constantFrom(...others), { seed, numRuns: 10 })];
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`a${index.toString(36)}`, "b"]));
  return [
    ["many headers", { ...request, headers: { ...request.headers, ...many } }],
    // A known caller's own credentials stay.
    ...subset
      .filter(({ name }) => request.headers[name] === undefined || name === "content-type")
      .map(({ name, kind, text }): [string, WorstRequest] => [
        `${name} of ${kind}`,
        { ...request, headers: { ...request.headers, [name]: text.trim() || "a" } },
      ]),
  ];
}

/** Requests whose address is the worst of its kind: in its query, and in its path. */
export function withWorstPaths(request: WorstRequest): [string, WorstRequest][] {
  const { path } = request;
  return [
    ...worstTexts(14_000).map(([kind, text]): [string, WorstRequest] => [
      `a query of ${kind}`,
      { ...request, path: `${path}?${safe(text)}` },
    ]),
    ...worstTexts(4_000).map(([kind, text]): [string, WorstRequest] => [
      `an address that ends in ${kind}`,
      { ...request, path: `${path}${safe(text)}` },
    ]),
    ["a version of digits", { ...request, path: `${path}?version=${repeated("9", 14_000)}` }],
  ];
}

const safe = (text: string) => text.replaceAll(" ", "+").replaceAll('"', "%22").replaceAll("\\", "%5c");
