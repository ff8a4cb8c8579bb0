// Explanation messages in the shape of the REST interface, from the proto's own JSON mapping: it names the members.
import { toJson } from "@bufbuild/protobuf";
import {
  type Explanation as ExplanationMessage,
  ExplanationSchema,
} from "../../../src/gen/assessment/v1/explanation_pb.ts";
import type { ExplanationBody } from "../transports/transports.ts";

type Json = Readonly<Record<string, unknown>>;

/** Fills in the nulls, which messages leave out, and turns the names of enums into the words of the interface. */
export function toExplanationBody(message: ExplanationMessage): ExplanationBody {
  const json = toJson(ExplanationSchema, message, { alwaysEmitImplicit: true }) as unknown as Record<string, Json[]>;
  const { values = [], pairings = [] } = json;
  const { baseline, harmony, conflict, archetype } = json as Readonly<Record<string, unknown>>;
  return {
    ...json,
    values: values.map((value) => ({
      ...withNulls(value, ["gap", "priority"]),
      ideal: toContext(value.ideal as Json),
      current: toContext(value.current as Json),
    })),
    totalGap: json.totalGap ?? null,
    baseline: withNulls(baseline as Json, ["mean"]),
    pairings: pairings.map((pairing) => ({
      ...withNulls(pairing, ["min", "mean", "reported"]),
      kind: word(pairing.kind, "PAIRING_KIND_"),
    })),
    harmony: withNulls(harmony as Json, ["total", "reported"]),
    conflict: withNulls(conflict as Json, ["total", "reported"]),
    archetype: toArchetype(archetype as Json),
  } as unknown as ExplanationBody;
}

function toContext(context: Json): Json {
  return {
    ...withNulls(context, ["score", "displayRank", "sharedRank", "neighbourMean"]),
    items: (context.items as Json[]).map((item) => withNulls(item, ["answer", "keyed"])),
    unscored: word(context.unscored, "UNSCORED_REASON_"),
  };
}

function toArchetype(archetype: Json): Json {
  const { gapBand, direction, unresolved } = archetype;
  return {
    ...withNulls(archetype, ["focus"]),
    gapBand: gapBand === undefined ? null : withNulls(gapBand as Json, ["below"]),
    direction: word(direction, "ARCHETYPE_DIRECTION_"),
    unresolved: word(unresolved, "UNRESOLVED_REASON_"),
  };
}

function withNulls(json: Json, names: readonly string[]): Json {
  return { ...Object.fromEntries(names.map((name) => [name, null])), ...json };
}

function word(name: unknown, prefix: string): string | null {
  return typeof name === "string" ? name.slice(prefix.length).toLowerCase() : null;
}
