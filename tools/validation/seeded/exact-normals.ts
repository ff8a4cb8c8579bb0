// Normal numbers whose sample has the moments of the population: what a check then finds is no luck of the draw.
import type { Random } from "../../simulate/random.ts";

/**
 * Rows of numbers, one a person. Over the people each column has mean 0 and variance 1, and no two columns correlate, to
 * rounding: normal draws, orthogonalised by the modified procedure of Gram and Schmidt (Bjorck 1967).
 * @param columns fewer than people
 */
export function exactNormals(random: Random, people: number, columns: number): Float64Array[] {
  const drawn = Array.from({ length: columns }, () => Float64Array.from({ length: people }, () => random.normal(1)));
  const ones = new Float64Array(people).fill(1 / Math.sqrt(people));
  drawn.forEach((column, index) => {
    for (const before of [ones, ...drawn.slice(0, index)]) subtract(column, before, product(column, before));
    const length = Math.sqrt(product(column, column));
    column.forEach((each, person) => {
      column[person] = each / length;
    });
  });
  const scale = Math.sqrt(people - 1);
  return Array.from({ length: people }, (_, person) =>
    Float64Array.from(drawn, (column) => scale * (column[person] ?? 0)),
  );
}

/** Gives the numbers of a row, one after another. */
export function fromRow(row: Float64Array): Pick<Random, "normal"> {
  let place = 0;
  return {
    normal(sd) {
      const number = row[place];
      if (number === undefined) throw new RangeError(`a person needs more than ${row.length} numbers`);
      place += 1;
      return sd * number;
    },
  };
}

function product(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

function subtract(from: Float64Array, other: Float64Array, times: number): void {
  for (let index = 0; index < from.length; index += 1) from[index] = (from[index] ?? 0) - times * (other[index] ?? 0);
}
