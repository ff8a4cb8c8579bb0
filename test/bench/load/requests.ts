// The requests of a whole assessment, for both transports. Both are asked for the same, and what is large is made once.
import { create, type DescMethodUnary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { QuestionType } from "../../../src/gen/assessment/v1/assessment_pb.ts";
import { SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import type { OperationName, Sample } from "./orders.ts";

/** A request of each operation. @param about the person of a new session, else the session's id */
export type Requests<R> = Readonly<Record<OperationName, (about: string) => R>>;

export interface RestRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
}

export function restRequests({ product, answers }: Sample): Requests<RestRequest> {
  const sessions = `/v1/${product}/sessions`;
  const items = answers.map(({ questionId, value }) => ({ questionId, response: { type: "likert", value } }));
  const recorded = JSON.stringify({ answers: items });
  return {
    create: (externalId) => ({ method: "POST", path: sessions, body: JSON.stringify({ subject: { externalId } }) }),
    record: (id) => ({ method: "POST", path: `${sessions}/${id}/answers`, body: recorded }),
    complete: (id) => ({ method: "POST", path: `${sessions}/${id}/complete` }),
    results: (id) => ({ method: "GET", path: `${sessions}/${id}/results` }),
  };
}

/** The rpc of each operation. */
export const rpcs = {
  create: SessionService.method.createSession,
  record: SessionService.method.recordAnswers,
  complete: SessionService.method.completeSession,
  results: SessionService.method.getSessionResults,
} satisfies Record<OperationName, DescMethodUnary>;

/** Messages: two of one type, one after the other, are one with the fields of both. */
export function rpcRequests({ product, answers }: Sample): Requests<Uint8Array> {
  const items = answers.map(({ questionId, value }) => ({
    questionId,
    response: { type: QuestionType.LIKERT, value },
  }));
  const recorded = messageOf(rpcs.record, { product, answers: items });
  return {
    create: (externalId) => messageOf(rpcs.create, { product, subject: { externalId } }),
    record: (sessionId) => Buffer.concat([recorded, messageOf(rpcs.record, { sessionId })]),
    complete: (sessionId) => messageOf(rpcs.complete, { product, sessionId }),
    results: (sessionId) => messageOf(rpcs.results, { product, sessionId }),
  };
}

function messageOf<M extends DescMethodUnary>({ input }: M, fields: MessageInitShape<M["input"]>): Uint8Array {
  return toBinary(input, create(input, fields));
}
