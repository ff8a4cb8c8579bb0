// State that evolves from one save to the next: sequences of what can happen, held to a model that is told apart from the
// code that is tested. A sequence that fails is shrunk to the shortest one. `npm run test:all -- --only histories` tries many.
import fc from "fast-check";
import { Refusal } from "../../src/kernel/errors/refusal.ts";
import { howMany } from "./extent.ts";

/** Times as many sequences as a short run has time for. */
const fullExtent = 20;

/** What an action came to: `ok`, or the code of its refusal. */
export async function outcomeOf(action: () => Promise<unknown>): Promise<string> {
  try {
    await action();
    return "ok";
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/**
 * Runs sequences of steps: each changes the model, does the real thing, and both have to agree afterwards.
 * @param finish the last step of each sequence
 */
export async function holds<Model extends object, Real>(
  steps: readonly fc.Arbitrary<fc.AsyncCommand<Model, Real>>[],
  setup: () => Promise<{ model: Model; real: Real }>,
  {
    maxCommands = 14,
    runs = 10,
    finish,
  }: {
    readonly maxCommands?: number;
    readonly runs?: number;
    readonly finish?: (model: Model, real: Real) => Promise<void>;
  } = {},
): Promise<void> {
  const sequences = fc.commands([...steps], { maxCommands, size: "max" });
  const property = fc.asyncProperty(sequences, async (commands) => {
    const { model, real } = await setup();
    await fc.asyncModelRun(() => ({ model, real }), commands);
    await finish?.(model, real);
  });
  await fc.assert(property, { numRuns: runs * howMany(fullExtent, 1) });
}

/** A step that can always happen. */
export function step<Model extends object, Real>(
  name: string,
  run: (model: Model, real: Real) => Promise<void>,
): fc.AsyncCommand<Model, Real> {
  return { check: () => true, run, toString: () => name };
}
