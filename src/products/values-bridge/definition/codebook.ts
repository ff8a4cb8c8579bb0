// The columns of a CSV export, one row for each session. R, SPSS and pandas accept their names.
import type * as proto from "../../../gen/assessment/v1/export_service_pb.ts";
import type { ShapeOf } from "../../../json/messages.ts";
import type { LifeContext, ScoringModel } from "../scoring/model.ts";
import type { Definition } from "./definition.ts";
import { arrangeQuestions, type Question, toScoringModel } from "./questions.ts";
import { listLanguages, type StatementLanguage } from "./wordings.ts";

interface FieldOverrides {
  readonly "assessment.v1.CodebookColumn": { readonly type: "text" | "time" | "integer" | "number" };
  readonly "assessment.v1.ValuesBridgeConfig": { readonly lifeContext: LifeContext };
}

type Column = ShapeOf<proto.CodebookColumn, FieldOverrides>;

/** A column. Absent members are omitted. */
export type CodebookColumn = Pick<Column, "name" | "label" | "type" | "source"> & Partial<Column>;

const percent = { type: "number", minimum: 0, maximum: 100 } as const;

function createColumn(name: string, source: string, label: string, more: Partial<Column> = {}): CodebookColumn {
  return { name, label, type: "text", source, ...more };
}

/** A column of codes. @param labels by code */
function createCodeColumn(name: string, source: string, label: string, labels: Readonly<Record<string, string>>) {
  const values = Object.entries(labels).map(([value, words]) => ({ value, label: words }));
  return createColumn(name, source, label, { values });
}

/** The columns for one version, from left to right. */
export function listCodebookColumns(definition: Definition, assessmentId: number): CodebookColumn[] {
  const questions = arrangeQuestions(definition, assessmentId);
  const model = toScoringModel(definition, questions);
  const names = new Map(definition.values.map(({ id, name }) => [id, name]));
  return [
    ...listSessionColumns(listLanguages(definition)),
    ...questions.map((question) => createAnswerColumn(definition, question)),
    ...listOverallColumns(definition),
    ...model.valueIds.flatMap((id) => listValueColumns(model, id, names.get(id) ?? "")),
    ...model.pairings.map(({ id, kind, values }) => {
      const [one = "", other = ""] = values.map((value) => names.get(value));
      const label = `Joint priority of ${one} and ${other} (${kind})`;
      return createColumn(`p${formatDigits(id, 4)}`, `results/pairings/${id}/scaledScore`, label, percent);
    }),
  ];
}

function createAnswerColumn({ values }: Definition, question: Question): CodebookColumn {
  const { id, position, prompt, predicate, likertConfig, choices, valuesBridgeConfig } = question;
  const items = values.find((value) => value.id === valuesBridgeConfig.valueId)?.items ?? [];
  const index = items.findIndex((item) => item.predicate === predicate);
  return createColumn(`q${formatDigits(position, 3)}`, `answers/${id}`, prompt, {
    type: "integer",
    minimum: likertConfig.min,
    maximum: likertConfig.max,
    values: choices.map((choice) => ({ value: String(choice.id), label: choice.label })),
    valuesBridgeConfig,
    statementNumber: items[index]?.number ?? index + 1,
  });
}

function listSessionColumns(languages: readonly StatementLanguage[]): CodebookColumn[] {
  const languageLabels = languages.map(({ language, translationState }) => [
    language,
    translationState === null ? "as the statements were written" : `translation, ${translationState}`,
  ]);
  return [
    createColumn("session_id", "sessionId", "Id of the session; the cursor after this row"),
    createColumn("external_id", "externalId", "Your identifier of the person"),
    createCodeColumn("mode", "mode", "Who leads the person through the questions", {
      headless: "your own pages",
      hosted: "pages of the service",
    }),
    createCodeColumn("status", "status", "How far the session is", {
      in_progress: "takes answers",
      completed: "takes no further answers",
      cancelled: "ended by you before its completion",
      expired: "its time was over before its completion",
    }),
    createColumn("version", "assessmentVersion", "Version of the assessment", { type: "integer" }),
    createCodeColumn("form", "form", "Which statements of the version were asked", {
      long: "all of them",
      short: "those of the short form",
    }),
    createColumn("created_at", "createdAt", "When the session was created, in UTC", { type: "time" }),
    createColumn("completed_at", "completedAt", "When the session was completed, in UTC", { type: "time" }),
    createColumn("group_id", "groupId", "Id of the group that the session is in"),
    createColumn("continues", "continues", "Id of the short session whose ratings it took over"),
    createCodeColumn(
      "shown_language",
      "shownLanguage",
      "Language in which the statements were shown",
      Object.fromEntries(languageLabels),
    ),
    createCodeColumn("first_life_context", "firstLifeContext", "Which life was asked first", {
      ideal: "the life wanted",
      current: "the life led",
    }),
    createColumn("attempt", "attempt", "Which completed session of the person it is", {
      type: "integer",
      minimum: 1,
      maximum: 100,
    }),
    createCodeColumn("grade", "grade", "What the answers are worth", {
      good: "no flag",
      caution: "one warning, or too few answers for each index",
      fail: "a failure, or two warnings",
      unknown: "too few answers to judge",
    }),
    createColumn("seconds_per_answer", "secondsPerAnswer", "Seconds for each answer after the first call", {
      type: "number",
      minimum: 0,
    }),
  ];
}

function listOverallColumns({ archetypes, unresolvedArchetype }: Definition): CodebookColumn[] {
  const values = [...archetypes, unresolvedArchetype].map(({ id, name }) => ({ value: String(id), label: name }));
  const source = "results/overall";
  return [
    createColumn("archetype", `${source}/archetypeId`, "Archetype", { type: "integer", values }),
    createColumn("total_gap", `${source}/totalAuthenticityGapScaled`, "Total gap", percent),
    createColumn("total_conflict", `${source}/totalConflictScoreScaled`, "Total conflict", percent),
    createColumn("total_harmony", `${source}/totalHarmonyScoreScaled`, "Total harmony", percent),
  ];
}

function listValueColumns({ valueIds, constants }: ScoringModel, id: number, value: string): CodebookColumn[] {
  const prefix = `v${formatDigits(id, 2)}`;
  const source = `results/values/${id}`;
  const rank = { type: "integer", minimum: 1, maximum: valueIds.length } as const;
  const names = [...constants.tiers.map(({ name }) => name), constants.unranked];
  const tier = { values: names.map((name) => ({ value: name, label: name })) };
  const listLifeColumns = (life: LifeContext, words: string) => [
    createColumn(`${prefix}_${life}_rank`, `${source}/${life}DisplayRank`, `${value}: rank in the life ${words}`, rank),
    createColumn(`${prefix}_${life}_tier`, `${source}/${life}RankTier`, `${value}: tier in the life ${words}`, tier),
  ];
  const gapLabel = `${value}: wanted minus lived, in percent of the rating span`;
  return [
    ...listLifeColumns("ideal", "wanted"),
    ...listLifeColumns("current", "led"),
    createColumn(`${prefix}_gap`, `${source}/authenticityGapScaled`, gapLabel, { ...percent, minimum: -100 }),
  ];
}

function formatDigits(number: number, length: number): string {
  return String(number).padStart(length, "0");
}
