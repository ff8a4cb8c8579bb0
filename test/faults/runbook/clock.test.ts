// A clock of a host that is wrong: the commands of the runbook show it, and end it when it is right.

import { expect, onTestFinished, test, vi } from "vitest";
import { databaseOfTest } from "../../support/of-test.ts";
import { commandsOf, operated, startOperator } from "../support/incidents/runbook.ts";
import { serveOn } from "../support/incidents/service.ts";

const aWhile = 60_000;

const detailOf = async (httpUrl: string) => {
  const { status, detail } = (await (await fetch(`${httpUrl}/readyz`)).json()) as { status: unknown; detail?: string };
  return detail ?? status;
};

test("the page finds a host whose clock is off, and the process is ready once it is right", async () => {
  const database = await databaseOfTest();
  const [service, operator] = [await serveOn(operated(database)), await startOperator(operated(database))];
  const [ofHost = "", ofDatabase = ""] = commandsOf("The clock of a host is off");
  onTestFinished(() => void vi.useRealTimers());
  // Of this process alone: the shell has the right time.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * aWhile });
  await expect
    .poll(() => detailOf(service.httpUrl))
    .toMatch(/^The clock of this host is \d+ s ahead of the database's/);
  const host = Date.parse(await operator.follow(ofHost));
  const stored = Date.parse(`${(await operator.follow(ofDatabase)).split("\n")[1]}Z`);
  expect(Math.abs(host - stored)).toBeLessThan(aWhile);
  expect(Date.now() - stored).toBeGreaterThan(aWhile);
  vi.useRealTimers();
  await expect.poll(() => detailOf(service.httpUrl)).toBe("ready");
});
