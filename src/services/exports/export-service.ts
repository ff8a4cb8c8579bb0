// ExportService: pages of sessions as messages, each as large as its readers take at most.
import { create, type DescMessage, type MessageShape, toBinary } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { subjectOf } from "../../domain/identifiers.ts";
import type { AnswerSheet } from "../../domain/sessions/session.ts";
import { LifeContext } from "../../gen/assessment/v1/assessment_pb.ts";
import {
  type ExportedAnswer,
  type ExportedSession as ExportedSessionMessage,
  ExportedSessionSchema,
  type ExportService,
} from "../../gen/assessment/v1/export_service_pb.ts";
import { type HeldSession, HeldSessionSchema } from "../../gen/assessment/v1/held_session_pb.ts";
import { sessionsAPiece, yielding } from "../../kernel/calls/yield.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { messageOf } from "../../kernel/json/message-of.ts";
import { Semaphore } from "../../kernel/limits/semaphore.ts";
import { stateOf } from "../../kernel/session-states.ts";
import { addAuditSubject, deadlineOf, principalOf } from "../../pipeline/call.ts";
import type { CodebookColumn, ProductMessages } from "../../products/product.ts";
import { inTimeOf, type TestClockDeps } from "../sandbox/test-clock.ts";
import { type ExportDeps, type ExportedSession, exportSessions } from "./export-sessions.ts";
import { exportSubject, type SubjectExportDeps } from "./export-subject.ts";
import { toSubjectRecordMessage } from "./subject-record-messages.ts";

export interface ExportServiceDeps extends TestClockDeps, ExportDeps, Omit<SubjectExportDeps, "yieldToCalls"> {
  /** Of calls of this service. */
  readonly slots: Semaphore;
  /** Whether the process works on calls other than exports. */
  readonly isServing: () => boolean;
}

/** Pages that a process makes at a time: few, so that everything else goes on as before. */
export const maxExportPages = 4;

/** The slots of pages. */
export function newExportSlots(): Semaphore {
  const limits = {
    slots: maxExportPages,
    slotsOfPartner: maxExportPages / 2,
    queue: 64,
    queueOfPartner: 16,
    waitMs: 5_000,
  };
  return new Semaphore(limits, () => {
    return new Refusal("unavailable", "Too many exports at a time. Go on in a second.", { retryAfterSeconds: 1 });
  });
}

/** The implementation of ExportService. */
export function exportService(deps: ExportServiceDeps): ServiceImpl<typeof ExportService> {
  const yieldToCalls = yielding(deps.isServing);
  const { messages: made } = deps.catalogue.product;
  return {
    exportSessions({ product, withoutAnswers, withoutResults, ...query }, context) {
      const { partnerId, caller } = principalOf(context);
      return deps.slots.run(caller, deadlineOf(context).signal, async () => {
        const page = await exportSessions(deps, { partnerId, product }, query, deadlineOf(context));
        const now = (await inTimeOf(deps, partnerId, deadlineOf(context).signal)).clock();
        const messages: ExportedSessionMessage[] = [];
        const room = new PageRoom(ExportedSessionSchema);
        for (const [index, session] of page.sessions.entries()) {
          if (index % sessionsAPiece === sessionsAPiece - 1) await yieldToCalls();
          const message = toExportMessage(session, { made, withoutAnswers, withoutResults, now });
          if (!room.takes(message)) break;
          messages.push(message);
        }
        const { nextCursor, isEnd } = page.endAfter(messages.length);
        return { sessions: messages, nextCursor, atEnd: isEnd };
      });
    },

    exportSubject({ product, externalId, ...query }, context) {
      const { partnerId, caller } = principalOf(context);
      return deps.slots.run(caller, deadlineOf(context).signal, async () => {
        const person = { partnerId, product, externalId };
        const page = await exportSubject({ ...deps, yieldToCalls }, person, query, deadlineOf(context));
        const now = (await inTimeOf(deps, partnerId, deadlineOf(context).signal)).clock();
        const messages: HeldSession[] = [];
        const room = new PageRoom(HeldSessionSchema);
        for (const session of page.sessions) {
          const message = create(HeldSessionSchema, toSubjectRecordMessage(session, now, made));
          if (!room.takes(message)) break;
          addAuditSubject(context, { sessionId: session.record.session.id });
          messages.push(message);
          await yieldToCalls();
        }
        const { nextCursor, isEnd } = page.endAfter(messages.length);
        return { subject: subjectOf(partnerId, externalId), sessions: messages, nextCursor, atEnd: isEnd };
      });
    },

    async getCodebook({ product, version }, context) {
      const { catalogue } = deps;
      const assessment =
        version === undefined
          ? await catalogue.published(product)
          : await catalogue.byVersion(product, version, deadlineOf(context));
      return {
        product,
        version: assessment.version,
        columns: assessment.codebook().map((column) => toColumnMessage(column, made)),
      };
    },
  };
}

function toColumnMessage({ values = [], valuesBridgeConfig, ...column }: CodebookColumn, made: ProductMessages) {
  return {
    ...column,
    values: values.map(({ value, label }) => ({ value, label })),
    valuesBridgeConfig: valuesBridgeConfig === undefined ? undefined : made.questionConfig({ valuesBridgeConfig }),
  };
}

interface ExportForm {
  readonly made: ProductMessages;
  readonly withoutAnswers: boolean;
  readonly withoutResults: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const toExported = messageOf(ExportedSessionSchema);

function toExportMessage(
  { session, assessment, ...exported }: ExportedSession,
  { made, withoutAnswers, withoutResults, now }: ExportForm,
): ExportedSessionMessage {
  const response = exported.response();
  const results = withoutResults ? null : exported.results();
  const told = toExported({
    ...session,
    sessionId: session.id,
    status: stateOf(session, now),
    assessmentVersion: assessment.version,
    firstLifeContext: assessment.questions[0]?.valuesBridgeConfig.lifeContext ?? LifeContext.UNSPECIFIED,
    grade: response?.grade,
    secondsPerAnswer: response?.secondsPerAnswer,
    answers: [],
    results: null,
  });
  // Not by way of `toExported`: so many messages are made once.
  return {
    ...told,
    answers: withoutAnswers ? [] : answersOf(assessment, session.answers),
    results: results === null ? undefined : made.results(results),
  };
}

/** The answers that were given, in the order of the questions. */
function answersOf({ questions }: PublishedAssessment, answers: AnswerSheet): ExportedAnswer[] {
  return questions.flatMap(({ id: questionId }, index) => {
    const value = answers[index] ?? null;
    return value === null ? [] : [{ $typeName: "assessment.v1.ExportedAnswer", questionId, value } as const];
  });
}

/** Bytes of the sessions of a page, unless it has a single one. Leaves room for the rest of the message. */
export const maxPageBytes = 3 << 20;
/** Of the tag and length before each session. */
const prefixBytes = 6;

/** What of a page is left for sessions. */
export class PageRoom<M extends DescMessage> {
  readonly #schema: M;
  #taken = 0;

  /** @param schema of a session */
  constructor(schema: M) {
    this.#schema = schema;
  }

  /** Whether a session has a place. The first one always has: an export must go on. */
  takes(session: MessageShape<M>): boolean {
    const taken = this.#taken + toBinary(this.#schema, session).length + prefixBytes;
    if (this.#taken > 0 && taken > maxPageBytes) return false;
    this.#taken = taken;
    return true;
  }
}
