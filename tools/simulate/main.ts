// npm run simulate: how good quality and error are on people whose true scores are known.
import { parseArgs } from "node:util";
import { defaults, simulate } from "./simulation.ts";

const usage = `npm run simulate -- [--people N] [--seed N]
  --people N  people of each population and figure, 1 to 1000000 (default: ${defaults.people})
  --seed N    whole number, 0 to 4294967295; the same seed gives the same figures (default: ${defaults.seed})`;

function wholeNumber(given: string | undefined, standard: number, least: number, most: number): number {
  if (given === undefined) return standard;
  const value = Number(given);
  if (!/^\d+$/.test(given) || value < least || value > most) {
    throw new RangeError(`${given} is not a whole number from ${least} to ${most}`);
  }
  return value;
}

try {
  const { values } = parseArgs({ options: { people: { type: "string" }, seed: { type: "string" } } });
  const people = wholeNumber(values.people, defaults.people, 1, 1_000_000);
  const seed = wholeNumber(values.seed, defaults.seed, 0, 2 ** 32 - 1);
  console.log(`${people} people of each population and figure, seed ${seed}\n\n${simulate({ people, seed })}`);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(`${error.message}\n${usage}`);
  process.exitCode = 2;
}
