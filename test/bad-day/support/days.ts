// A service of a test and an operator at its database.
import { onTestFinished } from "vitest";
import { startWithPeople } from "../../services/service-with-people.ts";
import { startTestApp } from "../../support/app.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { startOperator } from "./runbook.ts";
import { operated } from "./test-database.ts";

export async function openDay() {
  const app = await startTestApp();
  onTestFinished(() => app.stop());
  return { app, transport: restTransport(app.httpUrl), operator: await startOperator(operated(app.database)) };
}

/** One with a partner who sends people to the hosted pages. */
export async function openHostedDay() {
  const { stop, ...people } = await startWithPeople();
  onTestFinished(stop);
  return { ...people, operator: await startOperator(operated(people.app.database)) };
}
