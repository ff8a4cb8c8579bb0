// Exports beside other calls: how often the core gives way.
import { expect, test, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { ExportService } from "../../src/gen/assessment/v1/export_service_pb.ts";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { sessionsPerBatch } from "../../src/kernel/calls/yield.ts";
import { createAdmission } from "../../src/pipeline/limits/admission.ts";
import { createCore } from "../../src/process/core.ts";
import { createWebhookWiring } from "../../src/process/webhooks.ts";
import { createReportRenderer } from "../../src/products/values-bridge/report-rendering/renderer.ts";
import { createRenderingThread } from "../../src/products/values-bridge/report-rendering/thread.ts";
import { maxExportPages } from "../../src/services/exports/export-service.ts";
import { createStores, type Stores } from "../../src/store/stores.ts";
import { addCaller } from "../support/app.ts";
import { someSession } from "../support/builders.ts";
import { poolOfTest } from "../support/databases/pool.ts";
import { testDependencies } from "../support/dependencies.ts";
import { appOfTest } from "../support/of-test.ts";
import { callCore } from "../support/transports/core-call.ts";

async function startCore(changed: (stores: Stores) => Partial<Stores> = () => ({})) {
  const app = await appOfTest();
  const db = poolOfTest({ address: app.database.address, poolSize: 2 });
  const stores = createStores(db);
  const { token, partnerId } = await addCaller(app);
  const config = readConfig({});
  const admission = createAdmission(config);
  const core = createCore({
    dependencies: testDependencies({ ...stores, ...changed(stores) }),
    webhooks: createWebhookWiring([], []),
    admission,
    config,
    publicUrl: () => "http://service.example",
    observer: () => undefined,
    renderer: createReportRenderer(createRenderingThread()),
  });
  const addSessions = async (count: number) => {
    const { signal } = new AbortController();
    const assessmentId = (await stores.assessments.findLatestAssessmentId("values-bridge", signal)) ?? 0;
    const sessions = Array.from({ length: count }, () => someSession({ partnerId, assessmentId }));
    for (const session of sessions) await stores.sessions.insertSession(session, signal);
    return sessions;
  };
  return { core, admission, addSessions, header: { authorization: `Bearer ${token}` } };
}

const product = "values-bridge";

test("a page checks after every few sessions whether other calls are being served, not counting itself", async () => {
  const { core, admission, addSessions, header } = await startCore();
  const sessions = await addSessions(5 * sessionsPerBatch);
  const running: number[] = [];
  const state = vi.spyOn(admission, "state", "get");
  const page = await callCore(core, ExportService.method.exportSessions, { product }, { header });
  for (const { value } of state.mock.results) running.push(value.running);
  expect(page.sessions).toHaveLength(sessions.length);
  expect(running).toEqual(Array.from({ length: sessions.length / sessionsPerBatch }, () => 1));
});

test("an export over REST gives way to calls of every transport of its process, and to no other export", async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const begun = { session: Promise.withResolvers<void>(), page: Promise.withResolvers<void>() };
  const { core, addSessions, header } = await startCore(({ sessions, exports }) => ({
    sessions: {
      ...sessions,
      async findSession(...asked) {
        begun.session.resolve();
        await isOver;
        return sessions.findSession(...asked);
      },
    },
    exports: {
      ...exports,
      async listExports(...asked) {
        begun.page.resolve();
        await isOver;
        return exports.listExports(...asked);
      },
    },
  }));
  const [session] = await addSessions(1);
  const exporting = callCore(core, ExportService.method.exportSessions, { product }, { header, transport: "rest" });
  await begun.page.promise;
  expect(core.isServing?.()).toBe(false);
  const asking = callCore(
    core,
    SessionService.method.getSession,
    { product, sessionId: session?.id ?? "" },
    { header, transport: "grpc" },
  );
  await begun.session.promise;
  expect(core.isServing?.()).toBe(true);
  end();
  await Promise.all([exporting, asking]);
  expect(core.isServing?.()).toBe(false);
});

test("an export that waits for others holds no slot of the running calls", async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const { core, admission, header } = await startCore(({ exports }) => ({
    exports: {
      ...exports,
      async listExports(...asked) {
        await isOver;
        return exports.listExports(...asked);
      },
    },
  }));
  const exporting = Array.from({ length: maxExportPages }, () =>
    callCore(core, ExportService.method.exportSessions, { product }, { header, transport: "rest" }),
  );
  await expect.poll(() => admission.state.running).toBe(maxExportPages / 2);
  end();
  for (const { sessions } of await Promise.all(exporting)) expect(sessions).toEqual([]);
  expect(admission.state.running).toBe(0);
});
