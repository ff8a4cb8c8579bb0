// How readily a person agrees, whatever the direction of the statement.
import { at } from "../../scoring/lists.ts";
import type { RatingScale } from "../compile.ts";
import type { Sheet } from "../sheet.ts";
import { leastCells, meanOf } from "../statistics/samples.ts";

/** The agreement indices; see `ResponseQuality`. Unrounded. */
export interface Agreement {
  readonly agreementIdeal: number | null;
  readonly agreementCurrent: number | null;
  readonly agreementShift: number | null;
}

/**
 * Mean over cells of `((forward + inverse) / 2 - (min + max) / 2) / span`, in each life; null below 10 cells that have
 * both. The shift is what the difference of the two lives, over values that have both in each, can add to every gap:
 * `100 * keyBalance * (ideal - current)`; null if `keyBalance` is, or below 10 such values.
 */
export function agreementOf({ cells }: Sheet, scale: RatingScale, keyBalance: number | null): Agreement {
  const byValue = (life: "ideal" | "current") =>
    cells[life].map(({ bothKeys }) =>
      bothKeys === null ? null : (bothKeys.forward + bothKeys.inverse - scale.min - scale.max) / (2 * scale.span),
    );
  const [ideal, current] = [byValue("ideal"), byValue("current")];
  const shifts = ideal.map((wanted, index) => {
    const lived = at(current, index);
    return wanted === null || lived === null ? null : wanted - lived;
  });
  const shift = meanIfEnough(shifts);
  return {
    agreementIdeal: meanIfEnough(ideal),
    agreementCurrent: meanIfEnough(current),
    agreementShift: shift === null || keyBalance === null ? null : 100 * keyBalance * shift,
  };
}

function meanIfEnough(members: readonly (number | null)[]): number | null {
  const known = members.filter((member) => member !== null);
  return known.length < leastCells ? null : meanOf(known);
}
