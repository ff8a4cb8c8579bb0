// The person of the demo: wants freedom and nature most, and lives by rules and safety today.

/** A question, as far as the person looks at it. */
export interface DemoQuestion {
  readonly id: number;
  readonly valuesBridgeConfig: { readonly valueId: number; readonly lifeContext: string; readonly inverse: boolean };
}

/** The person's rating, 1 to 7: the further a value is from the one they have in mind, the less it is theirs. */
export function demoRating({ id, valuesBridgeConfig: { valueId, lifeContext, inverse } }: DemoQuestion): number {
  const peak = lifeContext === "ideal" ? 19 : 12;
  const distance = Math.min(Math.abs(valueId - peak), 19 - Math.abs(valueId - peak));
  const wanted = Math.min(7, Math.max(1, 7 - Math.round(distance * 0.6) + (id % 3 === 0 ? 1 : 0)));
  return inverse ? 8 - wanted : wanted;
}
