// One partner makes the most expensive calls that its limits allow, by five clients at a time, one rpc after the other.
// Another partner reads, writes and completes meanwhile, and nothing of it is refused. How long it takes depends on the
// processors that are left: `npm run bench -- neighbours` measures that.
import { afterAll, expect, test } from "vitest";
import { internalScopes, type Scope } from "../../src/domain/identity/scopes.ts";
import { readRequiredScope } from "../../src/kernel/rpc-options.ts";
import { services } from "../../src/kernel/services.ts";
import { inTurns } from "../support/extent.ts";
import { servedOfFile } from "../support/of-file.ts";
import { neighbourhood, openNeighbours } from "../support/worst/neighbours.ts";
import { expensiveCalls } from "../support/worst/partner-calls.ts";

/** Whoever has one of these is of the operator. */
const ofOperators: readonly string[] = internalScopes satisfies readonly Scope[];

/** Only a session that has expired can be reopened, and once. */
const neverServed = "SessionService/ReopenSession";

const ofOthers = services.flatMap(({ name, methods }) =>
  methods
    .filter((method) => !ofOperators.includes(readRequiredScope(method)))
    .map((method) => `${name}/${method.name}`),
);

const served = await servedOfFile(neighbourhood);
const neighbours = await openNeighbours(served.httpUrl, served.database.address, served.tokenOf);
afterAll(() => neighbours.stop());

test("every rpc but those of operators has its most expensive call here", () => {
  expect(Object.keys(expensiveCalls).toSorted()).toEqual(ofOthers.toSorted());
});

test.each(inTurns(Object.keys(expensiveCalls), 3, 0))(
  "five clients of one partner that call %s cause no refusal of another partner",
  async (name) => {
    // It does what it costs, and not because it is refused.
    if (name !== neverServed) await neighbours.once(name);
    const { refused, flooded } = await neighbours.work(2, name);
    expect(refused).toEqual([]);
    expect(flooded?.[name === neverServed ? "refused" : "served"]).toBeGreaterThan(0);
  },
);
