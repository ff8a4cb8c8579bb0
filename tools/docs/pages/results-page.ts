// The parts of docs/results.md that are written from the code, the shipped definition and the protos.
import type { DescField, DescFile } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import {
  file_assessment_v1_explanation,
  ScoringConstantsSchema,
} from "../../../src/gen/assessment/v1/explanation_pb.ts";
import { file_assessment_v1_results } from "../../../src/gen/assessment/v1/results_pb.ts";
import { listMembers } from "../../../src/json/members.ts";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { findComment, memberComment } from "../../openapi/comments.ts";
import { table } from "../markdown.ts";
import { workedExample } from "../worked-example.ts";

/** The parts by name. */
export function resultsParts(definition: Definition): Record<string, string> {
  return {
    members: typeTables(file_assessment_v1_results),
    values: valueTable(definition),
    tiers: tierTable(definition),
    archetypes: archetypeTable(definition),
    pairings: pairingTable(definition),
    constants: constantTable(definition),
    explanation: typeTables(file_assessment_v1_explanation),
    ...workedExample(),
  };
}

const resultMembers: Readonly<Record<string, string>> = {
  OverallResult: "`overall`",
  ValueResult: "Each of `values`",
  PairingResult: "Each of `pairings`",
};

function typeTables({ messages, enums }: DescFile): string {
  const ofMessages = messages
    .filter(({ name }) => name !== "ValuesBridgeResults")
    .map((message) => {
      const rows = listMembers(message).map((member) => [
        `\`${member.name}\``,
        describeType(member.field),
        memberComment(member),
      ]);
      return `#### ${resultMembers[message.name] ?? message.name}\n\n${findComment(message)}\n\n${table(["Member", "Type", "Meaning"], rows)}`;
    });
  const ofEnums = enums.map((words) => {
    const rows = words.values.slice(1).map((value) => [`\`${value.localName.toLowerCase()}\``, findComment(value)]);
    return `#### ${words.name}\n\n${findComment(words)}\n\n${table(["Word", "Meaning"], rows)}`;
  });
  return [...ofMessages, ...ofEnums].join("\n\n");
}

const scalarWords: Readonly<Partial<Record<ScalarType, string>>> = {
  [ScalarType.INT32]: "integer",
  [ScalarType.DOUBLE]: "number",
  [ScalarType.BOOL]: "boolean",
  [ScalarType.STRING]: "string",
};

function describeType(field: DescField): string {
  const name = (field.message ?? field.enum)?.name;
  const one = name === undefined ? scalarWords[field.scalar ?? ScalarType.STRING] : `[${name}](#${name.toLowerCase()})`;
  return `${field.fieldKind === "list" ? "list of " : ""}${one}`;
}

function valueTable({ values }: Definition): string {
  return table(
    ["Id", "Value", "What it is about"],
    values.map(({ id, name, goal }) => [id, name, goal]),
  );
}

function tierTable({ values, scoring }: Definition): string {
  const size = values.length;
  const lastRank = ([part, whole]: readonly [number, number], count: number) => Math.ceil((part * count) / whole);
  const rows = scoring.tiers.map(({ name, share }, index) => {
    const before = scoring.tiers[index - 1];
    const first = before === undefined ? 1 : lastRank(before.share, size) + 1;
    return [`\`${name}\``, share.join("/"), `${first} to ${lastRank(share, size)}`];
  });
  return table(
    ["Tier", "Reached by the first", `Shared ranks of ${size} scored values`],
    [...rows, [`\`${scoring.unranked}\``, "–", "no score"]],
  );
}

function archetypeTable({ archetypes, unresolvedArchetype, scoring }: Definition): string {
  const band = (from: number, below: number | null) =>
    below === null ? `${from} and more` : `${from} to below ${below}`;
  const focus = { focused: `at least ${scoring.focusThreshold}`, plural: `below ${scoring.focusThreshold}` };
  return table(
    ["Id", "Name", "Total gap", "Harmony − conflict", "What it says"],
    [
      ...archetypes.map(({ id, name, gapFrom, gapBelow, direction, summary }) => [
        id,
        name,
        band(gapFrom, gapBelow),
        `${focus[direction]} (\`${direction}\`)`,
        summary,
      ]),
      [unresolvedArchetype.id, unresolvedArchetype.name, "–", "–", unresolvedArchetype.summary],
    ],
  );
}

function pairingTable({ pairings, values }: Definition): string {
  const findName = (id: number) => values.find((value) => value.id === id)?.name ?? String(id);
  return table(
    ["Id", "Values", "Kind", "Kappa"],
    pairings.map(({ id, values: [a, b], kind, kappa }) => [id, `${findName(a)}, ${findName(b)}`, kind, kappa]),
  );
}

function constantTable({ scoring }: Definition): string {
  const constants: Readonly<Record<string, unknown>> = { ...scoring };
  const rows = listMembers(ScoringConstantsSchema)
    .filter(({ name }) => name !== "tiers")
    .map((member) => [`\`${member.name}\``, `\`${constants[member.name]}\``, memberComment(member)]);
  return table(["Constant", "Value", "Meaning"], rows);
}
