// A clock that is wrong, of a host or of the database: the commands of the runbook show it, and end it when it is right.
import { expect, onTestFinished, test, vi } from "vitest";
import { createClockedDatabase } from "../../support/databases/clock-ahead.ts";
import { commandsOf, linesOf, operated, startOperator } from "../support/incidents/runbook.ts";
import { serveOn } from "../support/incidents/service.ts";

const aWhile = 60_000;

async function openDay() {
  const clocked = await createClockedDatabase();
  onTestFinished(() => clocked.drop());
  const database = { ...operated(clocked), url: clocked.clockedUrl };
  return { clocked, database, service: await serveOn(database), operator: await startOperator(database) };
}

const detailOf = async (httpUrl: string) => {
  const { status, detail } = (await (await fetch(`${httpUrl}/readyz`)).json()) as { status: unknown; detail?: string };
  return detail ?? status;
};

test("the page finds a host whose clock is off, and the process is ready once it is right", async () => {
  const { service, operator } = await openDay();
  const [ofHost = "", ofDatabase = ""] = commandsOf("The clock of a host is off");
  onTestFinished(() => void vi.useRealTimers());
  // Of this process alone: the shell has the right time.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * aWhile });
  await expect
    .poll(() => detailOf(service.httpUrl))
    .toMatch(/^The clock of this host is \d+ s ahead of the database's/);
  const host = Date.parse(await operator.follow(ofHost));
  const database = Date.parse(`${(await operator.follow(ofDatabase)).split("\n")[1]}Z`);
  expect(Math.abs(host - database)).toBeLessThan(aWhile);
  expect(Date.now() - database).toBeGreaterThan(aWhile);
  vi.useRealTimers();
  await expect.poll(() => detailOf(service.httpUrl)).toBe("ready");
});

test("the page shows both clocks after the database's stepped, and accepting a right one ends the doubt", async () => {
  const { clocked, service, operator } = await openDay();
  const [show = "", accept = ""] = commandsOf("The clock of the database is in doubt");
  const metrics = async () => (await fetch(`${service.httpUrl}/metrics`)).text();
  await clocked.setAhead(400 * 24 * 60 * 60);
  await expect.poll(metrics).toContain('pas_clock_doubted{reason="stepped"} 1');
  const aheadSeconds = async () => linesOf(await operator.follow(show))[0]?.hostAheadSeconds;
  expect(await aheadSeconds()).toBeLessThan(-60);
  expect((await operator.try(accept)).stderr).toMatch(/The clock of this host is \d+ s behind the database's/);
  await clocked.setAhead(0);
  await operator.follow(accept);
  expect(Math.abs(await aheadSeconds())).toBeLessThan(5);
  await expect.poll(metrics).toContain('pas_clock_doubted{reason="stepped"} 0');
  expect(await detailOf(service.httpUrl)).toBe("ready");
});
