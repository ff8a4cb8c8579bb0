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
    ...model.pairings.map(({ id, kind, values }): CodebookColumn => {
      const [one = "", other = ""] = values.map((value) => names.get(value));
      const label = `Joint priority of ${one} and ${other} (${kind})`;
      return { name: `p${digits(id, 4)}`, label, ...percent, source: `results/pairings/${id}/scaledScore` };
    }),
  ];
}

function createAnswerColumn({ values }: Definition, question: Question): CodebookColumn {
  const { id, position, prompt, predicate, likertConfig, choices, valuesBridgeConfig } = question;
  const items = values.find((value) => value.id === valuesBridgeConfig.valueId)?.items ?? [];
  const index = items.findIndex((item) => item.predicate === predicate);
  return {
    name: `q${digits(position, 3)}`,
    label: prompt,
    type: "integer",
    minimum: likertConfig.min,
    maximum: likertConfig.max,
    values: choices.map((choice) => ({ value: String(choice.id), label: choice.label })),
    valuesBridgeConfig,
    statementNumber: items[index]?.number ?? index + 1,
    source: `answers/${id}`,
  };
}

function listSessionColumns(languages: readonly StatementLanguage[]): CodebookColumn[] {
  const column = (name: string, label: string, source: string, type: CodebookColumn["type"] = "text") => {
    return { name, label, type, source };
  };
  /** @param labels by value */
  const codeColumn = (name: string, label: string, source: string, labels: Readonly<Record<string, string>>) => {
    const values = Object.entries(labels).map(([value, words]) => ({ value, label: words }));
    return { ...column(name, label, source), values };
  };
  const languageLabels = languages.map(({ language, translationState }) => [
    language,
    translationState === null ? "as the statements were written" : `translation, ${translationState}`,
  ]);
  return [
    column("session_id", "Id of the session; the cursor after this row", "sessionId"),
    column("external_id", "Your identifier of the person", "externalId"),
    codeColumn("mode", "Who leads the person through the questions", "mode", {
      headless: "your own pages",
      hosted: "pages of the service",
    }),
    codeColumn("status", "How far the session is", "status", {
      in_progress: "takes answers",
      completed: "takes no further answers",
      cancelled: "ended by you before its completion",
      expired: "its time was over before its completion",
    }),
    column("version", "Version of the assessment", "assessmentVersion", "integer"),
    codeColumn("form", "Which statements of the version were asked", "form", {
      long: "all of them",
      short: "those of the short form",
    }),
    column("created_at", "When the session was created, in UTC", "createdAt", "time"),
    column("completed_at", "When the session was completed, in UTC", "completedAt", "time"),
    column("group_id", "Id of the group that the session is in", "groupId"),
    column("continues", "Id of the short session whose ratings it took over", "continues"),
    codeColumn(
      "shown_language",
      "Language in which the statements were shown",
      "shownLanguage",
      Object.fromEntries(languageLabels),
    ),
    codeColumn("first_life_context", "Which life was asked first", "firstLifeContext", {
      ideal: "the life wanted",
      current: "the life led",
    }),
    {
      ...column("attempt", "Which completed session of the person it is", "attempt", "integer"),
      minimum: 1,
      maximum: 100,
    },
    codeColumn("grade", "What the answers are worth", "grade", {
      good: "no flag",
      caution: "one warning, or too few answers for each index",
      fail: "a failure, or two warnings",
      unknown: "too few answers to judge",
    }),
    {
      ...column("seconds_per_answer", "Seconds for each answer after the first call", "secondsPerAnswer", "number"),
      minimum: 0,
    },
  ];
}

function listOverallColumns({ archetypes, unresolvedArchetype }: Definition): CodebookColumn[] {
  const values = [...archetypes, unresolvedArchetype].map(({ id, name }) => ({ value: String(id), label: name }));
  const total = (name: string, label: string, member: string) => ({
    name,
    label,
    ...percent,
    source: `results/overall/${member}`,
  });
  return [
    { name: "archetype", label: "Archetype", type: "integer", values, source: "results/overall/archetypeId" },
    total("total_gap", "Total gap", "totalAuthenticityGapScaled"),
    total("total_conflict", "Total conflict", "totalConflictScoreScaled"),
    total("total_harmony", "Total harmony", "totalHarmonyScoreScaled"),
  ];
}

function listValueColumns({ valueIds, constants }: ScoringModel, id: number, value: string): CodebookColumn[] {
  const prefix = `v${digits(id, 2)}`;
  const source = `results/values/${id}`;
  const rank = { type: "integer", minimum: 1, maximum: valueIds.length } as const;
  const names = [...constants.tiers.map(({ name }) => name), constants.unranked];
  const tier = { type: "text", values: names.map((name) => ({ value: name, label: name })) } as const;
  const lives = [
    { life: "ideal", words: "wanted" },
    { life: "current", words: "led" },
  ].flatMap(({ life, words }): CodebookColumn[] => {
    const column = (what: "rank" | "tier", member: string) => {
      const columnLabel = `${value}: ${what} in the life ${words}`;
      return { name: `${prefix}_${life}_${what}`, label: columnLabel, source: `${source}/${life}${member}` };
    };
    return [
      { ...column("rank", "DisplayRank"), ...rank },
      { ...column("tier", "RankTier"), ...tier },
    ];
  });
  const label = `${value}: wanted minus lived, in percent of the rating span`;
  const gap = { ...percent, minimum: -100 };
  return [...lives, { name: `${prefix}_gap`, label, ...gap, source: `${source}/authenticityGapScaled` }];
}

function digits(number: number, length: number): string {
  return String(number).padStart(length, "0");
}
