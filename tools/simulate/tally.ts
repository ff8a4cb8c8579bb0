// Shares and means, counted as they come.

/** Adds up numbers; true counts 1, false counts 0. */
export class Tally {
  #count = 0;
  #sum = 0;

  add(value: number | boolean): void {
    this.#count += 1;
    this.#sum += Number(value);
  }

  /** NaN without a number. */
  get mean(): number {
    return this.#sum / this.#count;
  }
}

/** A simulated figure: `percent` of a share, or a plain number. */
export interface Figure {
  readonly value: number;
  readonly unit: "percent" | "number";
}

export function share(tally: Tally): Figure {
  return { value: 100 * tally.mean, unit: "percent" };
}

export function number(tally: Tally): Figure {
  return { value: tally.mean, unit: "number" };
}

/** The figure as the table shows it. */
export function show({ value, unit }: Figure): string {
  if (Number.isNaN(value)) return "–";
  if (unit === "number") return value.toFixed(value < 0.995 ? 2 : 1).replace(/^-(?=0\.0*$)/, "");
  return `${value.toFixed(value > 0 && value < 0.95 ? 1 : 0)} %`;
}
