// An amount that many share: whoever holds little has room, whatever those do that hold much.
import { expect, test } from "vitest";
import { Budget, type BudgetLimits } from "../../../src/kernel/limits/budget.ts";

/** A budget, and the names of those that lost a share, in order. `a1` is the client 1 of the partner `a`. */
function newBudget(limits: Partial<BudgetLimits> = {}) {
  const lost: string[] = [];
  const budget = new Budget({ total: 100, evicts: "newest", ...limits });
  const begin = (name: string, amount: number, caller = name) => {
    const share = budget.open({ partner: caller.slice(0, 1), client: caller }, () => void lost.push(name));
    share.take(amount);
    return share;
  };
  return { budget, lost, begin };
}

test("a single holder may use the whole budget; once it is used up, the partner that holds most loses first, and within it the client that holds most", () => {
  const { budget, lost, begin } = newBudget();
  begin("a1 long", 60, "a1");
  begin("a2 short", 10, "a2");
  begin("a1 new", 30, "a1");
  expect([budget.used, lost]).toEqual([100, []]);
  begin("b1", 20);
  expect([budget.used, lost]).toEqual([90, ["a1 new"]]);
});

test("the largest holder loses its newest share or its oldest one", () => {
  for (const [evicts, expected] of [
    ["newest", "third"],
    ["oldest", "first"],
  ] as const) {
    const { lost, begin } = newBudget({ evicts });
    for (const name of ["first", "second", "third"]) begin(name, 30, "a1");
    begin("b1", 20);
    expect(lost).toEqual([expected]);
  }
});

test("among holders of about the same amount, a new one displaces the oldest", () => {
  const { lost, begin } = newBudget({ evicts: "oldest" });
  for (let index = 0; index < 20; index += 1) begin(`${String.fromCharCode(97 + index)}`, 5);
  begin("z", 7);
  expect(lost).toEqual(["a", "b"]);
});

test("all bytes are released, whether shares end, are displaced, or end twice", () => {
  const { budget, lost, begin } = newBudget();
  const shares = Array.from({ length: 50 }, (_, index) => begin(`share ${index}`, 7, `${index % 5}`));
  expect(lost.length).toBeGreaterThan(30);
  for (const share of shares) {
    share.end();
    share.take(5);
    share.end();
  }
  expect(budget.used).toBe(0);
});
