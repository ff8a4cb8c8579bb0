// What stands for all of many inputs that are alike.
export interface Alike {
  /** What is bad about it. */
  readonly kind: string;
  readonly operation: string;
  readonly transport: string;
  readonly caller: string;
}

/** Of each kind one input for each transport and caller, at operations in turn; and one at any operation left over. */
export function oneOfEachKind<T extends Alike>(inputs: readonly T[]): T[] {
  const kinds = Map.groupBy(inputs, ({ kind, transport, caller }) => `${kind} ${transport} ${caller}`);
  const chosen = [...kinds.values()].flatMap((alike, turn) => alike.slice(turn % alike.length).slice(0, 1));
  const shown = new Set(chosen.map(placeOf));
  const places = Map.groupBy(inputs, placeOf);
  const leftOver = [...places].filter(([place]) => !shown.has(place)).flatMap(([, [first]]) => first ?? []);
  return [...chosen, ...leftOver];
}

const placeOf = ({ operation, transport, caller }: Alike) => `${operation} ${transport} ${caller}`;
