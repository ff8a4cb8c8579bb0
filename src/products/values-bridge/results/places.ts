// A list that an assessment version has for good, and the place of each of its members.

export class Places<T extends string | number> {
  readonly #members: readonly T[];
  readonly #places: ReadonlyMap<T, number>;

  constructor(members: readonly T[]) {
    this.#members = members;
    this.#places = new Map(members.map((member, place) => [member, place]));
  }

  get count(): number {
    return this.#members.length;
  }

  /** Throws RangeError for what is no member. */
  placeOf(member: T): number {
    const place = this.#places.get(member);
    if (place === undefined) throw new RangeError(`results name ${member}, which the assessment does not know`);
    return place;
  }

  /** Throws RangeError for a place that there is none of. */
  at(place: number): T {
    const member = this.#members[place];
    if (member === undefined) throw new RangeError("results name a place that the assessment does not have");
    return member;
  }
}
