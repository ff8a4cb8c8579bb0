// Which groups may have numbers beside those that their partner already has: no combination of all of them may tell of fewer
// people than a limit. What a reader can compute from published sums is the row space of the matrix of groups and sheets.

/** Numbers of fewer people are never published, nor can they be computed from those that are. */
export const minPeople = 5;
/** The same for standard deviations: from mean and spread of five people, one of them can often compute the other four. */
export const minForSpread = 10;

/**
 * Most groups with numbers that have one sheet. Each difference of groups tells the sum over an atom anew, with another rounding:
 * from dozens of them the rounding could be computed away.
 */
export const maxGroupsOfSheet = 6;

/** Names the answers that one person gave once. Copies of them have the same name. */
export type SheetId = string;

/** Sheets that are in the same groups, equally often. */
interface Atom {
  /** The count of each of these sheets in a group, by the index of the group; without zeros. */
  readonly column: ReadonlyMap<number, number>;
  sheets: number;
}

/** Numbers are residues modulo this prime: the product of two is exact. */
const prime = 67_108_859;

/**
 * Whether numbers of these groups, added and subtracted, would be numbers of fewer than `minSheets` sheets, or a sheet is in too
 * many groups. There is no such sum if the rank of the matrix is the same without the atoms of fewer than `minSheets` sheets. Then the column
 * of each of these is a combination of columns of larger atoms, and a sum without the larger atoms is without the smaller ones.
 * @param groups sheets of each group; a sheet comes as often as people of the group gave these answers
 * @param pause awaited between pieces of work, each of some milliseconds for 1,000 groups
 */
export async function revealsFewerThan(
  groups: readonly (readonly SheetId[])[],
  minSheets: number,
  pause: () => Promise<void>,
) {
  const atoms = await computeAtoms(groups, pause);
  if (atoms.some(({ column }) => column.size > maxGroupsOfSheet)) return true;
  const span = new ColumnSpan(groups.length);
  for (const { column, sheets } of atoms) {
    if (sheets >= minSheets) span.add(column);
    if (span.isWhole()) return false;
    await pause();
  }
  for (const { column, sheets } of atoms) {
    if (sheets < minSheets && !span.has(column)) return true;
    await pause();
  }
  return false;
}

/** Sheets between two pauses: some milliseconds. */
const sheetsInPiece = 500;

async function computeAtoms(groups: readonly (readonly SheetId[])[], pause: () => Promise<void>): Promise<Atom[]> {
  const columns = new Map<SheetId, Map<number, number>>();
  for (const [index, sheets] of groups.entries()) {
    for (const sheet of sheets) {
      const column = columns.get(sheet) ?? new Map<number, number>();
      columns.set(sheet, column.set(index, (column.get(index) ?? 0) + 1));
    }
    await pause();
  }
  const atoms = new Map<string, Atom>();
  for (const [place, column] of [...columns.values()].entries()) {
    if (place % sheetsInPiece === 0) await pause();
    const key = [...column].join(" ");
    const atom = atoms.get(key) ?? { column, sheets: 0 };
    atom.sheets += 1;
    atoms.set(key, atom);
  }
  return [...atoms.values()];
}

/** All combinations of the columns that were added, by Gaussian elimination. */
class ColumnSpan {
  readonly #size: number;
  /** Reduced columns by their first index that is not 0, where they are 1. */
  readonly #basis = new Map<number, readonly number[]>();

  constructor(size: number) {
    this.#size = size;
  }

  /** Whether every column is one of the combinations. */
  isWhole(): boolean {
    return this.#basis.size === this.#size;
  }

  add(column: ReadonlyMap<number, number>): void {
    const rest = this.#reduce(column);
    const pivot = rest.findIndex((entry) => entry !== 0);
    if (pivot === -1) return;
    const inverse = computeInverse(rest[pivot] ?? 1);
    const normal = rest.map((entry) => (entry * inverse) % prime);
    this.#basis.set(pivot, normal);
  }

  has(column: ReadonlyMap<number, number>): boolean {
    return this.#reduce(column).every((entry) => entry === 0);
  }

  #reduce(column: ReadonlyMap<number, number>): number[] {
    const rest = Array.from({ length: this.#size }, (_, index) => column.get(index) ?? 0);
    for (let pivot = 0; pivot < rest.length; pivot += 1) {
      const factor = prime - (rest[pivot] ?? 0);
      const base = factor === prime ? undefined : this.#basis.get(pivot);
      if (base === undefined) continue;
      for (let index = pivot; index < rest.length; index += 1) {
        const entry = base[index] ?? 0;
        if (entry !== 0) rest[index] = ((rest[index] ?? 0) + factor * entry) % prime;
      }
    }
    return rest;
  }
}

/** By Fermat: the power `prime - 2`. */
function computeInverse(residue: number): number {
  let inverse = 1;
  let square = residue;
  for (let power = prime - 2; power > 0; power = Math.floor(power / 2)) {
    if (power % 2 === 1) inverse = (inverse * square) % prime;
    square = (square * square) % prime;
  }
  return inverse;
}
