// What groups tell and what they withhold: the tables of docs/groups.md.
import { minForSpread, minPeople } from "../../src/domain/groups/disclosure.ts";
import { at } from "../../src/products/values-bridge/scoring/exact.ts";
import { table } from "../docs/markdown.ts";
import { organisationFigures } from "./organisations.ts";
import { distances, pooledFigures } from "./pooled-members.ts";
import { populations } from "./populations.ts";
import { seededRandom } from "./random.ts";
import { builtInSetting } from "./setting.ts";

const rounds = 20;
const groupsOfPopulation = 100;

/** The same seed gives the same tables. */
export async function simulateGroups(seed: number): Promise<Readonly<Record<"organisations" | "pooled", string>>> {
  const random = seededRandom(seed);
  const organisations = await organisationFigures(random, rounds);
  const setting = builtInSetting();
  const range = (shares: readonly number[]) =>
    `${Math.round(Math.min(...shares))} to ${Math.round(Math.max(...shares))} %`;
  const rows = [minPeople, minForSpread].flatMap((size) => {
    const figures = populations.map((population) =>
      pooledFigures(random, population, setting, { size, groups: groupsOfPopulation }),
    );
    return distances.map((distance, place) => {
      const of = (how: "pooled" | "guess") => range(figures.map((within) => at(within, place)[how]));
      return [`${size - 1} of ${size}`, `${distance}`, of("pooled"), of("guess")];
    });
  });
  return {
    organisations: table(
      ["Organisation", "Groups of 5 or more with numbers"],
      organisations.map(({ what, published: share }) => [what, `${Math.round(share)} %`]),
    ),
    pooled: table(
      ["Members who pool their gaps", "Steps", "The last one's gap to within that", "The best blind guess"],
      rows,
    ),
  };
}
