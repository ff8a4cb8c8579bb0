// A list that an assessment version has for good, and the index of each of its members.

export class IndexTable<T extends string | number> {
  readonly #members: readonly T[];
  readonly #indexes: ReadonlyMap<T, number>;

  constructor(members: readonly T[]) {
    this.#members = members;
    this.#indexes = new Map(members.map((member, index) => [member, index]));
  }

  get count(): number {
    return this.#members.length;
  }

  /** Throws RangeError for what is no member. */
  indexOf(member: T): number {
    const index = this.#indexes.get(member);
    if (index === undefined) throw new RangeError(`results name ${member}, which the assessment does not know`);
    return index;
  }

  /** Throws RangeError for an index that there is none of. */
  at(index: number): T {
    const member = this.#members[index];
    if (member === undefined) throw new RangeError("results name an index that the assessment does not have");
    return member;
  }
}
