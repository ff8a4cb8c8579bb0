// What the answers of the service must say, which are scored here independently.
import { isDeepStrictEqual } from "node:util";
import { fromBinary } from "@bufbuild/protobuf";
import { createJsonWriter } from "../../../src/json/messages.ts";
import type { OperationName, Sample, TransportName } from "./orders.ts";
import { rpcs } from "./requests.ts";

interface Answer {
  readonly assessment?: { readonly questions: readonly unknown[] };
  readonly recorded?: number;
  readonly results?: unknown;
}

/** The id of a new session stands first in the answer. */
const idWithin = 64;

export function sessionIdOf(body: Buffer): string {
  return /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(body.toString("latin1", 0, idWithin))?.[0] ?? "";
}

/** Throws where an answer of an operation is not what the sample must give. */
export function checkAnswer(operation: OperationName, transport: TransportName, body: Buffer, sample: Sample): void {
  const answer = transport === "rest" ? (JSON.parse(body.toString()) as Answer) : answerIn(operation, body);
  const { assessment, recorded, results } = answer;
  const got = { questions: assessment?.questions.length, recorded, results };
  const expectedAnswer = {
    questions: operation === "create" ? sample.answers.length : undefined,
    recorded: operation === "record" ? sample.answers.length : undefined,
    results: operation === "complete" || operation === "results" ? sample.results : undefined,
  };
  // Without what JSON does not tell apart.
  const [one, other] = [got, expectedAnswer].map((each) => JSON.parse(JSON.stringify(each)));
  if (isDeepStrictEqual(one, other)) return;
  const [actualText, expected] = [one, other].map((each) => JSON.stringify(each).slice(0, 200));
  throw new Error(`${transport} answered ${operation} with ${actualText} instead of ${expected}`);
}

function answerIn(operation: OperationName, body: Buffer): Answer {
  const { output } = rpcs[operation];
  const message = fromBinary(output, body);
  const { variant } = message as { variant?: { readonly value?: Pick<Answer, "assessment"> } };
  return { ...(createJsonWriter(output)(message) as Answer), ...variant?.value };
}
