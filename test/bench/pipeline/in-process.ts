// A process that measures itself: the pipeline over the implementation, scoring, quality, and validating answers.

import { create, type DescMethodUnary } from "@bufbuild/protobuf";
import { createContextValues, createHandlerContext } from "@connectrpc/connect";
import { WriteQueue } from "../../../src/domain/concurrent-writes.ts";
import { partnerScopes } from "../../../src/domain/identity/scopes.ts";
import { answerViolations, mergeAnswers } from "../../../src/domain/sessions/answers.ts";
import { type RecordAnswersRequest, SessionService } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { refuseIfAny } from "../../../src/kernel/errors/refusal.ts";
import { callerOf } from "../../../src/kernel/limits/caller.ts";
import { deadlineKey, handlersOf, originKey, principalKey } from "../../../src/pipeline/call.ts";
import { qualityModel } from "../../../src/products/values-bridge/definition/questions.ts";
import { compileQuality } from "../../../src/products/values-bridge/quality/assess.ts";
import { AssessmentMessages } from "../../../src/services/assessments/assessment-service.ts";
import { toAnswers } from "../../../src/services/sessions/session-messages.ts";
import { sessionService } from "../../../src/services/sessions/session-service.ts";
import { testDomain } from "../../support/domain.ts";
import { callCore } from "../../support/transports/core-call.ts";
import { valuesBridge } from "../../support/values-bridge/opened.ts";
import vectorFile from "../../vectors/quality-and-error-v2.json" with { type: "json" };
import { calls } from "../load/requests.ts";
import { sampleOf } from "../servers/bench-database.ts";
import { answerParent } from "../servers/child.ts";
import { createConstantCore, publicUrl } from "./constant-core.ts";
import { constantAssessment, constantStores, sessionId } from "./constant-stores.ts";
import { costsOf } from "./cost.ts";

export interface InProcessOrder {
  readonly rounds: number;
  readonly calls: number;
}

const { stored, open: assessment } = constantAssessment(true);
const quality = compileQuality(qualityModel(stored.definition, assessment.questions));
const sample = sampleOf(assessment);
const { core, token } = createConstantCore(true);
const stores = constantStores(true);
const origin = {
  transport: "grpc" as const,
  address: "127.0.0.1",
  requestId: "bench",
  traceparent: undefined,
  isTrusted: false,
};
const header = { authorization: `Bearer ${token}` };
const handlers = implementation();

/** The answers of an attentive person, so that nothing of their quality is left out. */
function attentiveAnswers(): number[] {
  const input = vectorFile.vectors.find(({ id }) => id === "P04")?.input as { answers: number[] } | undefined;
  const answers = input?.answers ?? [];
  if (quality.assess(answers, null).error === null) throw new Error("the attentive answers have no error");
  return answers;
}

/** A client as the handlers see it, once its token is resolved. */
async function implementationContext(method: DescMethodUnary) {
  const found = await stores.identities.findToken(Buffer.alloc(32), new AbortController().signal);
  if (found === undefined) throw new Error("no client");
  const { id: clientId, partnerId } = found.client;
  const deadline = { signal: new AbortController().signal, at: Number.MAX_SAFE_INTEGER };
  const contextValues = createContextValues()
    .set(principalKey, { caller: callerOf(partnerId, clientId), clientId, partnerId, scopes: new Set(partnerScopes) })
    .set(originKey, origin)
    .set(deadlineKey, deadline);
  const of = { method, service: method.parent, protocolName: "grpc", requestMethod: "POST", url: "" };
  return createHandlerContext({ ...of, contextValues });
}

function implementation() {
  const reportDefect = (error: unknown) => {
    throw error;
  };
  const service = sessionService({
    ...testDomain(stores, { reportDefect }),
    writes: new WriteQueue(),
    messages: new AssessmentMessages(valuesBridge.messages),
    hostedUrl: publicUrl,
    requirePages: () => undefined,
  });
  return handlersOf(SessionService, service);
}

/** The same call through the pipeline and without it, given as a message (gRPC) or as its fields (REST). */
async function pair(method: DescMethodUnary, fields: Record<string, unknown>) {
  const context = await implementationContext(method);
  const handler = handlers.get(method);
  if (handler === undefined) throw new Error(`${method.name} is not implemented`);
  const message = create(method.input, fields);
  const through = (input: Record<string, unknown>) => callCore(core, method, input, { transport: "grpc", header });
  return {
    "message bare": async () => handler(message as never, context),
    "message interceptors": () => through(message as unknown as Record<string, unknown>),
    "fields bare": async () => handler(create(method.input, fields) as never, context),
    "fields interceptors": () => through(fields),
  };
}

answerParent(async (order: InProcessOrder) => {
  const { status, record } = calls(sample);
  const recordFields = { ...record.message, sessionId };
  const recordRequest = create(record.method.input, recordFields) as unknown as RecordAnswersRequest;
  const answers = toAnswers(recordRequest.answers);
  const sheet = sample.answers.map(({ value }) => value);
  const attentive = attentiveAnswers();
  return {
    status: await costsOf(await pair(status.method, { ...status.message, sessionId }), order),
    record: await costsOf(await pair(record.method, recordFields), order),
    alone: await costsOf(
      {
        scoring: () => assessment.scorer.score(sheet),
        quality: () => quality.assess(attentive, null),
        answers: () => {
          refuseIfAny(answerViolations(answers, assessment));
          return mergeAnswers([], answers, assessment);
        },
      },
      order,
    ),
  };
});

export type InProcessCosts = {
  readonly [K in "status" | "record"]: Readonly<Record<keyof Awaited<ReturnType<typeof pair>>, number[]>>;
} & { readonly alone: Readonly<Record<"scoring" | "quality" | "answers", number[]>> };
