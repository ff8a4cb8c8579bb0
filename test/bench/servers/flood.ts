// A process in which five clients of a partner make expensive calls, four at a time each, for as long as they are told.
import { constants, setPriority } from "node:os";
import {
  type Busy,
  callerOf,
  expensiveCalls,
  prepareBusyPartner,
  type Stage,
} from "../../support/worst/partner-calls.ts";
import { answerParent } from "./child.ts";

const atOnce = 4;

export type FloodOrder =
  /** Makes what the partner has. */
  | { readonly kind: "prepare"; readonly busy: Busy }
  /** Makes one call alone, and fails where it does. */
  | { readonly kind: "once"; readonly name: string }
  /** Begins to call; answered as soon as all calls that may run at a time do. */
  | { readonly kind: "begin"; readonly name: string }
  /** Ends the flood; answered when no call runs any more. */
  | { readonly kind: "end" };

/** Calls of the flood that ended: how many well, and how many otherwise. */
export interface Flooded {
  readonly served: number;
  readonly refused: number;
}

let busy: Busy | undefined;
let stage: Stage | undefined;
let isOver = true;
let floods: Promise<void>[] = [];
let outcomes = { served: 0, refused: 0 };

async function answer(order: FloodOrder): Promise<Flooded> {
  if (order.kind === "prepare") {
    busy = order.busy;
    stage = await prepareBusyPartner(busy);
  } else if (order.kind === "end") {
    isOver = true;
    await Promise.all(floods);
  } else {
    const expensive = expensiveCalls[order.name];
    if (busy === undefined || stage === undefined || expensive === undefined) throw new Error("nothing is prepared");
    if (order.kind === "once") await expensive(stage);
    else begin(expensive, busy, stage);
  }
  return outcomes;
}

function begin(expensive: (stage: Stage) => Promise<unknown>, { httpUrl, tokens }: Busy, prepared: Stage): void {
  isOver = false;
  outcomes = { served: 0, refused: 0 };
  const flood = async (token: string) => {
    const own = { ...prepared, call: callerOf(httpUrl, token) };
    while (!isOver) {
      await expensive(own).then(
        () => (outcomes.served += 1),
        () => (outcomes.refused += 1),
      );
    }
  };
  floods = tokensOf(tokens).map(flood);
}

function tokensOf(tokens: readonly string[]): string[] {
  return tokens.flatMap((token) => Array.from({ length: atOnce }, () => token));
}

// Neighbours have processors of their own: this one takes what the service and its database leave.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
answerParent(answer);
