// What the answers of the servers say, in one form for all transports, and what they must say.
import { isDeepStrictEqual } from "node:util";
import { fromBinary, type Message } from "@bufbuild/protobuf";
import type { AssessmentSchema } from "../../../src/gen/assessment/v1/assessment_pb.ts";
import { type ValuesBridgeResults, ValuesBridgeResultsSchema } from "../../../src/gen/assessment/v1/results_pb.ts";
import { toJson } from "../../../src/json/message-json.ts";
import type { Sample, TransportName, wholeAssessment } from "./orders.ts";
import { calls } from "./requests.ts";

type OperationName = (typeof wholeAssessment)[number];

/** What an answer says that does not differ from one session to the next. */
interface Gist {
  readonly questions?: number;
  readonly recorded?: number;
  readonly results?: unknown;
}

/** Members of the answers, in JSON and in messages alike. */
interface Answer {
  readonly assessment?: { readonly questions: readonly unknown[] };
  readonly recorded?: number;
  readonly results?: unknown;
}

const idLength = 36;
/** In JSON `{"sessionId":"`, in a message the tag and the length of the first field. */
const idStart: Readonly<Record<TransportName, number>> = { rest: 14, grpc: 2 };

/** The id of a new session: it stands first in the answer. */
export function sessionIdOf(transport: TransportName, body: Buffer): string {
  const start = idStart[transport];
  return body.toString("latin1", start, start + idLength);
}

/** Throws where an answer of an operation is not what the sample must give. */
export function checkAnswer(operation: OperationName, transport: TransportName, body: Buffer, sample: Sample): void {
  const got = gistOf(transport === "rest" ? jsonAnswer(body) : messageAnswer(operation, body, sample));
  const wanted = expectedGist(operation, sample);
  if (!isDeepStrictEqual(got, wanted)) {
    throw new Error(`${transport} answered ${operation} with ${shown(got)} instead of ${shown(wanted)}`);
  }
}

function expectedGist(operation: OperationName, { answers, results }: Sample): Gist {
  switch (operation) {
    case "create":
      return { questions: answers.length };
    case "record":
      return { recorded: answers.length };
    case "complete":
    case "results":
      return { results: plain(results) };
  }
}

function gistOf({ assessment, recorded, results }: Answer): Gist {
  return {
    ...(assessment === undefined ? {} : { questions: assessment.questions.length }),
    ...(recorded === undefined ? {} : { recorded }),
    ...(results === undefined ? {} : { results: plain(results) }),
  };
}

function jsonAnswer(body: Buffer): Answer {
  return body.length === 0 ? {} : JSON.parse(body.toString());
}

function messageAnswer(operation: OperationName, body: Buffer, sample: Sample): Answer {
  const { method } = calls(sample)[operation];
  const message = fromBinary(method.output, body) as Message & {
    readonly variant?: { readonly value?: { readonly assessment?: AssessmentSchema } };
    readonly recorded?: number;
    readonly results?: ValuesBridgeResults;
  };
  const assessment = message.variant?.value?.assessment;
  return {
    ...(assessment === undefined ? {} : { assessment }),
    ...(message.recorded === undefined ? {} : { recorded: message.recorded }),
    ...(message.results === undefined ? {} : { results: toJson(ValuesBridgeResultsSchema)(message.results) }),
  };
}

function shown(gist: Gist): string {
  return JSON.stringify(gist).slice(0, 200);
}

/** Without what JSON does not tell apart. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
