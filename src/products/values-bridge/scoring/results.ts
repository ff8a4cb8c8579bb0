// The results that scoring returns, with the names of the REST results.

/** A value's place and gap. Null: no score. */
export interface ValueResult {
  readonly valueId: number;
  /** 1 is the most wanted value. */
  readonly idealDisplayRank: number | null;
  readonly idealRankTier: string;
  /** 1 is the most lived value. */
  readonly currentDisplayRank: number | null;
  readonly currentRankTier: string;
  /** Ideal minus current in percent of the rating span, -100..100; positive: lived less than wanted. */
  readonly authenticityGapScaled: number | null;
}

export interface PairingResult {
  readonly valuePairingId: number;
  /** 0..100: the weaker of the two priorities. */
  readonly scaledScore: number | null;
}

export interface OverallResult {
  readonly archetypeId: number;
  /** All three 0..100. */
  readonly totalAuthenticityGapScaled: number | null;
  readonly totalConflictScoreScaled: number | null;
  readonly totalHarmonyScoreScaled: number | null;
}

/** The scored outcome of one session. */
export interface Results {
  readonly overall: OverallResult;
  /** Every value of the assessment, by idealDisplayRank, unscored ones last. */
  readonly values: readonly ValueResult[];
  /** Every pairing of the assessment, by scaledScore descending, unscored ones last. */
  readonly pairings: readonly PairingResult[];
}
