// The requests of a whole assessment for both transports, made once. Both are asked for the same.
import { create, type DescMethodUnary, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { QuestionType } from "../../../src/gen/assessment/v1/assessment_pb.ts";
import { SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { Prepared, placeholderOf, placeholders } from "./connections/connection.ts";
import { type OperationName, type Sample, type Target, wholeAssessment } from "./orders.ts";

/** The requests of REST as bytes of HTTP. */
export function restRequests({ port, token, sample }: Target): Record<OperationName, Prepared> {
  const { sessionId, externalId } = placeholders;
  const product = `/v1/${sample.product}`;
  const session = `${product}/sessions/${sessionId}`;
  const answers = sample.answers.map(({ questionId, value }) => ({ questionId, response: { type: "likert", value } }));
  const json = (body: unknown) => ({ type: "application/json", bytes: Buffer.from(JSON.stringify(body)) });
  const requests = {
    create: http("POST", `${product}/sessions`, port, token, json({ subject: { externalId } })),
    record: http("POST", `${session}/answers`, port, token, json({ answers })),
    complete: http("POST", `${session}/complete`, port, token),
    results: http("GET", `${session}/results`, port, token),
  };
  return ofEachOperation((operation) => new Prepared(requests[operation], placeholderOf(operation)));
}

/** A call of gRPC. */
export interface RpcCall {
  /** For example `/assessment.v1.SessionService/CreateSession`. */
  readonly path: string;
  readonly message: Uint8Array;
  /** What stands in the gaps of the message. */
  readonly placeholder: string;
}

/** The calls of every operation. */
export function rpcCalls(sample: Sample): Record<OperationName, RpcCall> {
  return ofEachOperation((operation) => {
    const { method, message } = calls(sample)[operation];
    return { path: pathOf(method), message: encoded(method, message), placeholder: placeholderOf(operation) };
  });
}

/** The method of each operation, with the fields of its request. */
export function calls({ product, answers }: Sample) {
  const { sessionId, externalId } = placeholders;
  const response = (value: number) => ({ type: QuestionType.LIKERT, value });
  const given = answers.map(({ questionId, value }) => ({ questionId, response: response(value) }));
  const sessions = SessionService.method;
  return {
    create: call(sessions.createSession, { product, subject: { externalId } }),
    record: call(sessions.recordAnswers, { product, sessionId, answers: given }),
    complete: call(sessions.completeSession, { product, sessionId }),
    results: call(sessions.getSessionResults, { product, sessionId }),
  };
}

interface AnyCall {
  readonly method: DescMethodUnary;
  readonly message: Record<string, unknown>;
}

function call<M extends DescMethodUnary>(method: M, message: MessageInitShape<M["input"]>): AnyCall {
  return { method, message: message as Record<string, unknown> };
}

function encoded(method: DescMethodUnary, message: Record<string, unknown>): Uint8Array {
  return toBinary(method.input, create(method.input, message));
}

function pathOf(method: DescMethodUnary): string {
  return `/${method.parent.typeName}/${method.name}`;
}

/** Something for each operation. */
export function ofEachOperation<T>(make: (operation: OperationName) => T): Record<OperationName, T> {
  return Object.fromEntries(wholeAssessment.map((name) => [name, make(name)])) as Record<OperationName, T>;
}

function http(
  method: string,
  path: string,
  port: number,
  token: string,
  body?: { type: string; bytes: Uint8Array },
): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, `Authorization: Bearer ${token}`];
  if (body !== undefined) lines.push(`Content-Type: ${body.type}`);
  if (method === "POST") lines.push(`Content-Length: ${body?.bytes.length ?? 0}`);
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), body?.bytes ?? Buffer.alloc(0)]);
}
