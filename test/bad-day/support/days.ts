// A service of a test, set up as in production, and an operator at its database.
import { onTestFinished } from "vitest";
import { startWithPeople } from "../../services/service-with-people.ts";
import { startTestApp } from "../../support/app.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { startOperator } from "./runbook.ts";
import { operated } from "./test-database.ts";

const key = Buffer.alloc(32, 1).toString("base64");
const production = {
  ...{ METRICS_TOKEN: "of-the-scraper", WEBHOOK_KEY: key, AUDIT_KEY: key },
  ...{ WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8", PUBLIC_URL: "https://assessments.example" },
};

export async function openDay(environment: Record<string, string> = {}) {
  const settings = { ...production, ...environment };
  const app = await startTestApp(settings);
  onTestFinished(() => app.stop());
  const operator = await startOperator(operated(app.database), { ...settings, SERVICE_URL: app.httpUrl });
  return { app, transport: restTransport(app.httpUrl), operator };
}

/** One with a partner who sends people to the hosted pages. */
export async function openHostedDay() {
  const { stop, ...people } = await startWithPeople();
  onTestFinished(stop);
  return { ...people, operator: await startOperator(operated(people.app.database), production) };
}
