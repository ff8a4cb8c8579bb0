// Quality as a message. Null means "nothing to say" in the domain; in a message that is an absent field, and an empty
// list for a pair of numbers. Written out with its type names, as results are.

import * as pb from "../../../gen/assessment/v1/quality_pb.ts";
import { byWord } from "../../../kernel/json/members.ts";
import type { TranslationState } from "../quality/model.ts";
import type {
  Certainty,
  GapError,
  PooledVariance,
  Quality,
  ResponseQuality,
  ScoreError,
  SessionError,
  SessionNorms,
  Standing,
  Variances,
} from "../quality/quality.ts";

export const grades = byWord(pb.Grade);
const levels = byWord(pb.FlagLevel);
const certainties = byWord(pb.Certainty);
const normScopes = byWord(pb.NormScope);
const translationStates = byWord(pb.TranslationState);

/** Quality and error of a session. */
export function toQualityMessage({ model, version, coverage, response, error, norms }: Quality): pb.Quality {
  return {
    $typeName: "assessment.v1.Quality",
    model,
    version,
    coverage: { $typeName: "assessment.v1.Coverage", ...coverage },
    response: toResponse(response),
    error: error === null ? undefined : toError(error),
    norms: norms === null ? undefined : toNorms(norms),
  };
}

function toResponse({ grade, flags, longestRun, ...indices }: ResponseQuality): pb.ResponseQuality {
  return {
    $typeName: "assessment.v1.ResponseQuality",
    grade: grades[grade],
    flags: flags.map(({ index, level }) => ({
      $typeName: "assessment.v1.QualityFlag",
      index,
      level: levels[level],
    })),
    longestRun,
    spread: indices.spread ?? undefined,
    opposites: indices.opposites ?? undefined,
    consistency: indices.consistency ?? undefined,
    consistencyIdeal: indices.consistencyIdeal ?? undefined,
    consistencyCurrent: indices.consistencyCurrent ?? undefined,
    secondsPerAnswer: indices.secondsPerAnswer ?? undefined,
    agreementIdeal: indices.agreementIdeal ?? undefined,
    agreementCurrent: indices.agreementCurrent ?? undefined,
    agreementShift: indices.agreementShift ?? undefined,
    extremes: indices.extremes ?? undefined,
    midpoint: indices.midpoint ?? undefined,
  };
}

function toError({ variance, values, totalGap, stability }: SessionError): pb.SessionError {
  return {
    $typeName: "assessment.v1.SessionError",
    basis: pb.ErrorBasis.STATEMENTS,
    variance: toVariances(variance),
    values: values.map(({ valueId, ideal, current, gap }) => ({
      $typeName: "assessment.v1.ValueError",
      valueId,
      ideal: ideal === null ? undefined : toScore(ideal),
      current: current === null ? undefined : toScore(current),
      gap: gap === null ? undefined : toGap(gap),
    })),
    totalGap: totalGap === null ? undefined : { $typeName: "assessment.v1.TotalGapError", ...totalGap },
    stability:
      stability === null
        ? undefined
        : {
            $typeName: "assessment.v1.Stability",
            versions: stability.versions,
            archetypeId: stability.archetypeId,
            sameArchetype: stability.sameArchetype,
            archetypes: [...stability.archetypes],
            seTotalGap: stability.seTotalGap ?? undefined,
            seHarmony: stability.seHarmony ?? undefined,
            seConflict: stability.seConflict ?? undefined,
            seFocus: stability.seFocus ?? undefined,
          },
  };
}

/** Variances of both lives and of their differences. */
export function toVariances({ ideal, current, gap }: Variances): pb.Variances {
  const pooled = ({ df, variance }: PooledVariance): pb.PooledVariance => ({
    $typeName: "assessment.v1.PooledVariance",
    df,
    variance: variance ?? undefined,
  });
  return { $typeName: "assessment.v1.Variances", ideal: pooled(ideal), current: pooled(current), gap: pooled(gap) };
}

function toScore({ score, centred, standardError, interval, rankRange, tiedWith }: ScoreError): pb.ScoreError {
  return {
    $typeName: "assessment.v1.ScoreError",
    score,
    centred: centred ?? undefined,
    standardError: standardError ?? undefined,
    interval: interval === null ? [] : [...interval],
    rankRange: rankRange === null ? [] : [...rankRange],
    tiedWith: [...tiedWith],
  };
}

function toGap({ reported, standardError, certainty }: GapError): pb.GapError {
  return {
    $typeName: "assessment.v1.GapError",
    reported,
    standardError: standardError ?? undefined,
    certainty: toCertainty(certainty),
  };
}

/** How sure a difference is; undefined if that is not known. */
export function toCertainty(certainty: Certainty | null): pb.Certainty | undefined {
  return certainty === null ? undefined : certainties[certainty];
}

/** How far a translation has come; undefined for statements that are no translation. */
export function toTranslationState(state: TranslationState | null): pb.TranslationState | undefined {
  return state === null ? undefined : translationStates[state];
}

function toNorms({ scope, translationState, values, ...norms }: SessionNorms): pb.SessionNorms {
  return {
    $typeName: "assessment.v1.SessionNorms",
    ...norms,
    scope: normScopes[scope],
    translationState: toTranslationState(translationState),
    values: values.map(({ valueId, ideal, current, gap }) => ({
      $typeName: "assessment.v1.ValueStanding",
      valueId,
      ideal: toStanding(ideal),
      current: toStanding(current),
      gap: toStanding(gap),
    })),
  };
}

function toStanding(standing: Standing | null): pb.Standing | undefined {
  if (standing === null) return undefined;
  const { percentile, halfWidth, tScore, standardError, raw } = standing;
  return {
    $typeName: "assessment.v1.Standing",
    percentile,
    halfWidth,
    tScore: tScore ?? undefined,
    standardError: standardError ?? undefined,
    rawPercentile: raw?.percentile ?? undefined,
    rawTScore: raw?.tScore ?? undefined,
  };
}
