// One partner makes expensive calls, by five clients at a time, of one rpc after the other. Meanwhile another partner reads,
// writes and completes, and none of its calls is refused. How long they take depends on the processors that are left, which
// `npm run bench -- neighbours` measures.
import { afterAll, expect, test } from "vitest";
import { servedOfFile } from "../support/of-file.ts";
import { neighbourhood, openNeighbours } from "../support/worst/neighbours.ts";
import { expensiveCalls } from "../support/worst/partner-calls.ts";

const served = await servedOfFile(neighbourhood);
const neighbours = await openNeighbours(served.httpUrl, served.database.address, served.tokenOf);
afterAll(() => neighbours.stop());

test.each(Object.keys(expensiveCalls))(
  "five clients of one partner that call %s cause no refusal of another partner",
  async (name) => {
    // A call that is refused costs nothing.
    await neighbours.once(name);
    const { refused, flooded } = await neighbours.work(2, name);
    expect(refused).toEqual([]);
    expect(flooded?.served).toBeGreaterThan(0);
  },
);
