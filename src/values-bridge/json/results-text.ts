// Results as JSON text. Half of what a read of results costs is their JSON, so it is put together here instead of making
// an object of every entry for a general writer.
import type { ValueResult, ValuesBridgeResults } from "../../gen/assessment/v1/results_pb.ts";

/** Every reported number is a whole number of hundredths up to 100: their texts, made once. */
const hundredths: readonly string[] = Array.from({ length: 10_001 }, (_, index) => String(index / 100));

/** ValuesBridgeResults as JSON text; `null` for a session that is not scored. */
export function resultsText(results: ValuesBridgeResults | undefined): string {
  if (results === undefined) return "null";
  const { overall, values, pairings } = results;
  const tiers = new Map<string, string>();
  let text =
    `{"overall":{"archetypeId":${overall?.archetypeId ?? null},` +
    `"totalAuthenticityGapScaled":${scoreText(overall?.totalAuthenticityGapScaled)},` +
    `"totalConflictScoreScaled":${scoreText(overall?.totalConflictScoreScaled)},` +
    `"totalHarmonyScoreScaled":${scoreText(overall?.totalHarmonyScoreScaled)}},"values":[`;
  let separator = "";
  for (const value of values) {
    text += separator + valueText(value, tiers);
    separator = ",";
  }
  text += '],"pairings":[';
  separator = "";
  for (const { valuePairingId, scaledScore } of pairings) {
    text += `${separator}{"valuePairingId":${valuePairingId},"scaledScore":${scoreText(scaledScore)}}`;
    separator = ",";
  }
  return `${text}]}`;
}

/** @param tiers texts of tiers that came before, by name */
function valueText(value: ValueResult, tiers: Map<string, string>): string {
  return (
    `{"valueId":${value.valueId},"idealDisplayRank":${value.idealDisplayRank ?? null},` +
    `"idealRankTier":${tierText(value.idealRankTier, tiers)},"currentDisplayRank":${value.currentDisplayRank ?? null},` +
    `"currentRankTier":${tierText(value.currentRankTier, tiers)},` +
    `"authenticityGapScaled":${scoreText(value.authenticityGapScaled)}}`
  );
}

function tierText(name: string, tiers: Map<string, string>): string {
  const known = tiers.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  tiers.set(name, text);
  return text;
}

function scoreText(score: number | undefined): string {
  if (score === undefined) return "null";
  const text = hundredths[Math.round(Math.abs(score) * 100)];
  // Another core may report other numbers.
  if (text === undefined || Number(text) !== Math.abs(score)) return JSON.stringify(score);
  return score < 0 ? `-${text}` : text;
}
