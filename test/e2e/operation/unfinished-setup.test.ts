// A service that was not set up to the end says what is missing in a line, and does what it can.
import { expect, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { startApp } from "../../../src/process/app.ts";
import { startDeliverApp } from "../../../src/process/deliver-app.ts";
import { createLogger } from "../../../src/telemetry/logger.ts";
import { createEmptyDatabase } from "../../support/databases/database.ts";
import { runPas } from "../../support/processes/program.ts";

const config = readConfig({ HTTP_PORT: "0", GRPC_PORT: "0", EVENT_INTERVAL_MS: "100" });

// At the same time: each waits for jobs.
test.concurrent.for(["all", "deliver"] as const)(
  "a process of the role %s that starts before `pas migrate` says so once, and begins when that has run",
  async (role, { onTestFinished }) => {
    const database = await createEmptyDatabase();
    onTestFinished(() => database.drop());
    const lines: string[] = [];
    const log = createLogger("info", { write: (line) => lines.push(line) });
    const options = { config, database: database.address, log, webhookKeys: [Buffer.alloc(32, 7)] };
    const app = role === "all" ? await startApp({ ...options, role }) : await startDeliverApp(options);
    onTestFinished(() => app.stop());
    const runs = async (name: string) => {
      const text = await (await fetch(`${app.httpUrl}/metrics`)).text();
      return Number(
        new RegExp(`^pas_job_seconds_count\\{background_job="${name}",outcome="ok"\\} (\\d+)`, "m").exec(text)?.[1] ??
          0,
      );
    };
    // Time for any other job to fail: they run more often.
    await expect.poll(() => runs("readiness-watch")).toBeGreaterThan(1);
    const troubles = lines.map((line) => JSON.parse(line)).filter(({ level }) => level !== "info");
    expect(troubles.map(({ level, msg, err }) => [level, msg, err])).toEqual([
      ["error", expect.stringContaining("run pas migrate"), undefined],
    ]);
    expect((await fetch(`${app.httpUrl}/readyz`)).status).toBe(503);
    expect((await runPas(["migrate"], { DATABASE_URL: database.url })).code).toBe(0);
    const job = role === "all" ? "event-sequencer" : "webhook-delivery";
    await expect.poll(() => runs(job)).toBeGreaterThan(0);
    expect((await fetch(`${app.httpUrl}/readyz`)).status).toBe(200);
    expect(lines.filter((line) => line.includes("run pas migrate"))).toHaveLength(1);
  },
);

test("a process that only delivers does not start without the key of webhooks", async () => {
  const { code, stderr } = await runPas(["serve", "--role", "deliver"], {
    DATABASE_URL: "mysql://nobody@127.0.0.1:1/none",
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining("--role deliver needs WEBHOOK_KEY")]);
});
