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
import { Grade } from "../../gen/assessment/v1/quality_pb.ts";
import { SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { sessionsAPiece, yielding } from "../../kernel/calls/yield.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { byWord } from "../../kernel/json/members.ts";
import { Semaphore } from "../../kernel/limits/semaphore.ts";
import { stateOf } from "../../kernel/session-states.ts";
import { addAuditSubject, deadlineOf, principalOf } from "../../pipeline/call.ts";
import type { CodebookColumn, ProductMessages } from "../../products/product.ts";
import { inTimeOf, type TestClockDeps } from "../sandbox/test-clock.ts";
import { sessionStatuses, toDeletions, toMembership, toTimestamp } from "../sessions/session-messages.ts";
import { type ExportDeps, type ExportedSession, exportSessions } from "./export-sessions.ts";
import { exportSubject, type SubjectExportDeps } from "./export-subject.ts";
import { toSubjectRecordMessage } from "./subject-record-messages.ts";

const modes = byWord(SessionMode);
const grades = byWord(Grade);
const lifeContexts = byWord(LifeContext);

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

/** Written out with its type names: creating so many messages through their schemas takes far longer. */
function toExportMessage(
  { session, assessment, ...exported }: ExportedSession,
  { made, withoutAnswers, withoutResults, now }: ExportForm,
): ExportedSessionMessage {
  const { id, externalId, mode, createdAt, completedAt, shownLanguage, attempt } = session;
  const response = exported.response();
  const results = withoutResults ? null : exported.results();
  return {
    $typeName: "assessment.v1.ExportedSession",
    sessionId: id,
    externalId,
    mode: modes[mode],
    status: sessionStatuses[stateOf(session, now)],
    assessmentVersion: assessment.version,
    createdAt: toTimestamp(createdAt),
    completedAt: toTimestamp(completedAt),
    shownLanguage: shownLanguage ?? undefined,
    firstLifeContext: firstLifeOf(assessment),
    attempt: attempt ?? undefined,
    grade: response === null ? undefined : grades[response.grade],
    ...(response?.secondsPerAnswer == null ? {} : { secondsPerAnswer: response.secondsPerAnswer }),
    ...toDeletions(session),
    ...toMembership(session),
    answers: withoutAnswers ? [] : answersOf(assessment, session.answers),
    results: results === null ? undefined : made.results(results),
  };
}

function firstLifeOf({ questions: [first] }: PublishedAssessment): LifeContext {
  return first === undefined ? LifeContext.UNSPECIFIED : lifeContexts[first.valuesBridgeConfig.lifeContext];
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
