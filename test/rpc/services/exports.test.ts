// Exports beside other calls: how often the core gives way.
import { expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { sessionsATurn } from "../../../src/contract/turns.ts";
import { createAdmission, createCore } from "../../../src/core.ts";
import { EventWatch } from "../../../src/domain/events/event-watch.ts";
import { ExportService } from "../../../src/gen/assessment/v1/export_service_pb.ts";
import { createReportRenderer } from "../../../src/report-rendering/renderer.ts";
import { openDatabase } from "../../../src/store/database.ts";
import { createStores } from "../../../src/store/stores.ts";
import { createWebhookParts } from "../../../src/webhook-parts.ts";
import { addCaller, startTestApp } from "../../support/app.ts";
import { someSession } from "../../support/builders.ts";
import { testDomain } from "../../support/domain.ts";
import { callCore } from "../../support/doors/core-call.ts";

test("a page asks after every few sessions whether others are being served, and counts itself for nobody", async () => {
  const app = await startTestApp();
  onTestFinished(() => app.stop());
  const db = openDatabase({ address: app.database.address, poolSize: 2, warn: () => undefined });
  onTestFinished(() => db.destroy());
  const stores = createStores(db);
  const { token, partnerId } = await addCaller(app);
  const { signal } = new AbortController();
  const assessmentId = (await stores.assessments.findLatestAssessmentId("values-bridge", signal)) ?? 0;
  const sessions = 5 * sessionsATurn;
  for (let count = 0; count < sessions; count += 1) {
    await stores.sessions.insertSession(someSession({ partnerId, assessmentId }), signal);
  }
  const config = readConfig({});
  const admission = createAdmission(config);
  const running: number[] = [];
  const state = vi.spyOn(admission, "state", "get");
  const core = createCore({
    domain: testDomain(stores),
    watch: new EventWatch(stores.events),
    webhooks: createWebhookParts({ keys: [], allowedNetworks: [] }),
    admission,
    config,
    publicUrl: () => "http://service.example",
    observer: () => undefined,
    renderer: createReportRenderer(),
  });
  const page = await callCore(
    core,
    ExportService.method.exportSessions,
    { product: "values-bridge" },
    { header: { authorization: `Bearer ${token}` } },
  );
  for (const { value } of state.mock.results) running.push(value.running);
  expect(page.sessions).toHaveLength(sessions);
  expect(running).toEqual(Array.from({ length: sessions / sessionsATurn }, () => 1));
});
