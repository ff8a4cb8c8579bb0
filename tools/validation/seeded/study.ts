// A study of made-up people as the service would export it: scored, graded and written by the code of the product.
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { formatCsvHeader, formatCsvRow } from "../../../src/gateway/exports/csv.ts";
import { LifeContext } from "../../../src/gen/assessment/v1/assessment_pb.ts";
import {
  CodebookColumnSchema,
  type ExportedSession,
  ExportedSessionSchema,
} from "../../../src/gen/assessment/v1/export_service_pb.ts";
import { Grade } from "../../../src/gen/assessment/v1/quality_pb.ts";
import { SessionMode, SessionStatus } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { mapEnumWords } from "../../../src/json/members.ts";
import { fromModel } from "../../../src/json/messages.ts";
import { builtInProduct } from "../../../src/products/values-bridge/definition/built-in.ts";
import { listCodebookColumns } from "../../../src/products/values-bridge/definition/codebook.ts";
import { arrangeQuestions } from "../../../src/products/values-bridge/definition/questions.ts";
import { toResultsMessage } from "../../../src/products/values-bridge/messages/results.ts";
import { type Random, seededRandom } from "../../simulate/random.ts";
import { builtInSetting } from "../../simulate/setting.ts";
import { drawSeeded, type Place, type SeededModel } from "./people.ts";

/** Who is in a study. */
export interface StudyPlan {
  readonly model: SeededModel;
  readonly seed: number;
  readonly people: number;
  /** How many of them answer again two weeks later. */
  readonly again: number;
  /** How many more answer without reading. */
  readonly careless: number;
  /** Of the language of each person in turn. */
  readonly languages: readonly string[];
}

export interface Study {
  readonly csv: string;
  /** JSON. */
  readonly codebook: string;
  /** Ratings of the first and the second sittings: external id, and a rating a question in the order of the questions. */
  readonly first: string;
  readonly second: string;
  /** External id and a number that goes with what people want of the first value, and with nothing else. */
  readonly criteria: string;
}

/** The first version of an installation. */
const assessmentId = 1;
const builtInVersion = 1;
const start = Date.UTC(2026, 0, 5, 9);
const day = 24 * 60 * 60_000;
const grades = mapEnumWords(Grade);
const setting = builtInSetting();
const questions = arrangeQuestions(setting.definition, assessmentId);

/** Where each question stands. */
export const places: readonly Place[] = questions.map(({ predicate, valuesBridgeConfig }) => {
  const value = setting.definition.values.findIndex(({ id }) => id === valuesBridgeConfig.valueId);
  const items = setting.definition.values[value]?.items ?? [];
  const statement = items.findIndex((item) => item.predicate === predicate);
  return { value, statement, life: valuesBridgeConfig.lifeContext, inverse: valuesBridgeConfig.inverse };
});

/** The study of a plan. The same plan gives the same text. */
export function seededStudy({ model, seed, people, again, careless, languages }: StudyPlan): Study {
  const random = seededRandom(seed);
  const columns = listCodebookColumns(setting.definition, assessmentId);
  const toColumn = fromModel(CodebookColumnSchema);
  const messages = columns.map((column) => toColumn({ values: null, ...column }));
  const rows: string[] = [];
  const sittings: string[][] = [[], []];
  const criteria: string[] = [];
  const languageAt = (turn: number) => languages[turn % languages.length];
  const write = (person: string, turn: number, attempt: number, answers: readonly number[]) => {
    const language = languageAt(turn);
    sittings[attempt - 1]?.push(`${[person, ...answers].join(",")}\n`);
    const session = exported({ place: rows.length, turn, person, attempt, answers, language });
    rows.push(formatCsvRow(messages, session));
  };
  const valueCount = setting.definition.values.length;
  const sitters = Array.from({ length: people }, (_, index) => {
    const person = drawSeeded(random, model, places, valueCount);
    const answers = person.sit(random, languageAt(index));
    const name = `person-${String(index + 1).padStart(5, "0")}`;
    write(name, index, 1, answers);
    criteria.push(`${name},${criterion(random, answers).toFixed(3)}\n`);
    return { person, name };
  });
  sitters.slice(0, again).forEach(({ person, name }, index) => {
    write(name, index, 2, person.sit(random, languageAt(index)));
  });
  for (let index = 0; index < careless; index += 1) {
    write(`careless-${String(index + 1).padStart(5, "0")}`, people + index, 1, guess(random));
  }
  return {
    csv: formatCsvHeader(messages) + rows.join(""),
    codebook: JSON.stringify({ product: builtInProduct, version: builtInVersion, columns }),
    first: (sittings[0] ?? []).join(""),
    second: (sittings[1] ?? []).join(""),
    criteria: `external_id,made_up_rating\n${criteria.join("")}`,
  };
}

interface Sitting {
  /** Which row of the export it is, and which of the people, from 0. */
  readonly place: number;
  readonly turn: number;
  readonly person: string;
  readonly attempt: number;
  readonly answers: readonly number[];
  readonly language: string | undefined;
}

function exported({ place, turn, person, attempt, answers, language = "en" }: Sitting): ExportedSession {
  const { response } = setting.assess(answers);
  const at = start + Math.floor(turn / 400) * day + (turn % 400) * 60_000 + (attempt - 1) * 14 * day;
  return create(ExportedSessionSchema, {
    sessionId: `00000000-0000-7000-8000-${String(place).padStart(12, "0")}`,
    externalId: person,
    mode: SessionMode.HOSTED,
    status: SessionStatus.COMPLETED,
    assessmentVersion: builtInVersion,
    createdAt: timestampFromMs(at),
    completedAt: timestampFromMs(at + 15 * 60_000),
    shownLanguage: language,
    firstLifeContext: LifeContext.IDEAL,
    attempt,
    grade: grades[response.grade],
    answers: questions.map(({ id: questionId }, index) => ({ questionId, value: answers[index] ?? 0 })),
    results: toResultsMessage(setting.scorer.score(answers)),
  });
}

/** Without reading: any rating. */
function guess(random: Random): number[] {
  return places.map(() => random.whole(1, 7));
}

/** Half of it is what the person wants of the first value, half is chance. */
function criterion(random: Random, answers: readonly number[]): number {
  const of = places.flatMap(({ value, life, inverse }, index) => {
    const rating = answers[index] ?? 0;
    return value === 0 && life === "ideal" ? [inverse ? 8 - rating : rating] : [];
  });
  return of.reduce((sum, each) => sum + each, 0) / of.length + random.normal(1);
}
