// What stands for all of many inputs that are alike.
export interface Alike {
  /** What is bad about it; with `as` and a member, if it stands in one. */
  readonly kind: string;
  readonly operation: string;
  readonly transport: string;
}

/** Of each kind, each member and each operation one input for each transport: others, and their callers, in turn. */
export function oneOfEachKind<T extends Alike>(inputs: readonly T[]): T[] {
  const selection = new Set<T>();
  for (const keyOf of [kindOf, memberOf, operationOf]) {
    for (const [turn, alike] of [...Map.groupBy(inputs, keyOf).values()].entries()) {
      if (alike.some((each) => selection.has(each))) continue;
      for (const each of alike.slice(turn % alike.length).slice(0, 1)) selection.add(each);
    }
  }
  return inputs.filter((each) => selection.has(each));
}

/** What is bad, the member, and how it is packed. */
const inMember = /^(.*) as (\w+)(.*)$/;
const kindOf = ({ kind, transport }: Alike) => `${kind.replace(inMember, "$1$3")} ${transport}`;
const memberOf = ({ kind, transport }: Alike) => `${inMember.exec(kind)?.[2]} ${transport}`;
const operationOf = ({ operation, transport }: Alike) => `${operation} ${transport}`;
