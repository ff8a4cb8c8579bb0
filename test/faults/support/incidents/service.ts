// Services that an incident befalls: on a database that breaks, or set up as in production, with an operator beside it.
import { onTestFinished } from "vitest";
import { prepareDatabase } from "../../../../src/cli/migrate.ts";
import { startWithPeople } from "../../../services/service-with-people.ts";
import { addCallerOf } from "../../../support/databases/partners.ts";
import { appOfTest, processOfTest } from "../../../support/of-test.ts";
import { localWebhooks } from "../../../support/processes/settings.ts";
import { restTransport } from "../../../support/transports/rest-transport.ts";
import { type OperatedDatabase, operated, startOperator } from "./runbook.ts";

export type TroubledService = Awaited<ReturnType<typeof serveOn>>;

/** Brings a database up to date, and serves on it until the test ends. @returns also whom calls are made as */
export async function serveOn({ url }: OperatedDatabase) {
  await prepareDatabase({ say: () => undefined }, { url });
  const app = await processOfTest({ url });
  const { partnerId, token } = await addCallerOf(app.httpUrl, { url });
  return { ...app, transport: restTransport(app.httpUrl), as: { token }, partnerId };
}

const production = {
  ...localWebhooks,
  ...{
    METRICS_TOKEN: "of-the-scraper",
    AUDIT_KEY: localWebhooks.WEBHOOK_KEY,
    PUBLIC_URL: "https://assessments.example",
  },
};

export async function openDay(environment: Record<string, string> = {}) {
  const settings = { ...production, ...environment };
  const app = await appOfTest(settings);
  const operator = await startOperator(operated(app.database), { ...settings, SERVICE_URL: app.httpUrl });
  return { app, transport: restTransport(app.httpUrl), operator };
}

/** One with a partner who sends people to the hosted pages. */
export async function openHostedDay() {
  const { stop, ...people } = await startWithPeople();
  onTestFinished(stop);
  return { ...people, operator: await startOperator(operated(people.app.database), production) };
}
