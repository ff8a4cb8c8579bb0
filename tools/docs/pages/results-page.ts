// The parts of docs/results.md that are written from the code, the shipped definition and the protos.
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { table } from "../markdown.ts";
import { type MemberDoc, readTypes, type TypeDoc } from "../proto-comments.ts";
import { workedExample } from "../worked-example.ts";

/** The parts by name. */
export function resultsParts(definition: Definition): Record<string, string> {
  return {
    members: typeTables(readTypes("results.proto").filter(({ name }) => name !== "ValuesBridgeResults")),
    values: valueTable(definition),
    tiers: tierTable(definition),
    archetypes: archetypeTable(definition),
    pairings: pairingTable(definition),
    constants: constantTable(definition),
    explanation: typeTables(readTypes("explanation.proto")),
    ...workedExample(),
  };
}

const resultMembers: Readonly<Record<string, string>> = {
  OverallResult: "`overall`",
  ValueResult: "Each of `values`",
  PairingResult: "Each of `pairings`",
};

function typeTables(types: readonly TypeDoc[]): string {
  return types
    .map(({ kind, name, comment, members }) => {
      const head = kind === "enum" ? ["Word", "Meaning"] : ["Member", "Type", "Meaning"];
      const rows = members.map((member) =>
        kind === "enum"
          ? [`\`${member.name}\``, member.comment]
          : [`\`${member.name}\``, typeOf(member), member.comment],
      );
      return `#### ${resultMembers[name] ?? name}\n\n${comment}\n\n${table(head, rows)}`;
    })
    .join("\n\n");
}

const typeWords: Readonly<Record<string, string>> = {
  int32: "integer",
  double: "number",
  bool: "boolean",
  string: "string",
};

function typeOf({ type }: MemberDoc): string {
  const [, list = "", one = ""] = /^(repeated )?(.+)$/.exec(type) ?? [];
  return `${list === "" ? "" : "list of "}${typeWords[one] ?? `[${one}](#${one.toLowerCase()})`}`;
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
  const nameOf = (id: number) => values.find((value) => value.id === id)?.name ?? String(id);
  return table(
    ["Id", "Values", "Kind", "Kappa"],
    pairings.map(({ id, values: [a, b], kind, kappa }) => [id, `${nameOf(a)}, ${nameOf(b)}`, kind, kappa]),
  );
}

function constantTable({ scoring }: Definition): string {
  const constants: Readonly<Record<string, unknown>> = { ...scoring };
  const meanings = readTypes("explanation.proto").find(({ name }) => name === "ScoringConstants")?.members ?? [];
  const rows = meanings
    .filter(({ name }) => name !== "tiers")
    .map(({ name, comment }) => [`\`${name}\``, `\`${constants[name]}\``, comment]);
  return table(["Constant", "Value", "Meaning"], rows);
}
