// The claims of one endpoint that have not ended: what is being sent to it right now.

export class OpenClaims {
  /** When they end. */
  readonly #ends: Date[] = [];
  /** Resources, such as sessions, of which something is being sent, with the sequence of that. */
  readonly #sequences = new Map<string, number>();
  readonly #newSequences: number[] = [];

  /** @param isNew whether the endpoint's place in the log has to stay before it */
  add(resourceId: string, sequence: number, end: Date, isNew: boolean): void {
    this.#ends.push(end);
    this.#sequences.set(resourceId, sequence);
    if (isNew) this.#newSequences.push(sequence);
  }

  get size(): number {
    return this.#ends.length;
  }

  /** Whether something of the resource is being sent. */
  has(resourceId: string): boolean {
    return this.#sequences.has(resourceId);
  }

  /** Whether something up to the sequence is being sent. */
  hasUpTo(sequence: number): boolean {
    return [...this.#sequences.values()].some((each) => each <= sequence);
  }

  /** The least sequence of what is new. */
  get firstNew(): number | undefined {
    return this.#newSequences.length === 0 ? undefined : Math.min(...this.#newSequences);
  }

  /** When the first of them ends; null if there is none. */
  get firstEnd(): Date | null {
    return this.#ends.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? null;
  }
}
