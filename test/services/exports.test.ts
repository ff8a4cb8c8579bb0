// Exports beside other calls.
import { expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { ExportService } from "../../src/gen/assessment/v1/export_service_pb.ts";
import { createCallSlots } from "../../src/pipeline/limits/slots.ts";
import { createCore } from "../../src/process/core.ts";
import { createWebhookWiring } from "../../src/process/webhook-wiring.ts";
import { createReportRenderer } from "../../src/products/values-bridge/report-rendering/renderer.ts";
import { createRenderingThread } from "../../src/products/values-bridge/report-rendering/thread.ts";
import { createStores, type Stores } from "../../src/store/stores.ts";
import { addCaller } from "../support/app.ts";
import { poolOfTest } from "../support/databases/pool.ts";
import { testDependencies } from "../support/dependencies.ts";
import { appOfTest } from "../support/of-test.ts";
import { callCore } from "../support/transports/core-call.ts";

async function startCore(changed: (stores: Stores) => Partial<Stores> = () => ({})) {
  const app = await appOfTest();
  const db = poolOfTest({ address: app.database.address, poolSize: 2 });
  const stores = createStores(db);
  const { token } = await addCaller(app);
  const config = readConfig({});
  const callSlots = createCallSlots(config);
  const core = createCore({
    dependencies: testDependencies({ ...stores, ...changed(stores) }),
    webhooks: createWebhookWiring([], config),
    callSlots,
    config,
    publicUrl: () => "http://service.example",
    observer: () => undefined,
    renderer: createReportRenderer(createRenderingThread()),
  });
  return { core, callSlots: callSlots, header: { authorization: `Bearer ${token}` } };
}

const product = "values-bridge";

test("an export that waits for others holds no slot of the running calls", async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const { core, callSlots, header } = await startCore(({ exports }) => ({
    exports: {
      ...exports,
      async listExports(...args) {
        await isOver;
        return exports.listExports(...args);
      },
    },
  }));
  const exporting = Array.from({ length: 4 }, () =>
    callCore(core, ExportService.method.exportSessions, { product }, { header, transport: "rest" }),
  );
  await expect.poll(() => callSlots.running.state.running).toBe(2);
  end();
  for (const { sessions } of await Promise.all(exporting)) expect(sessions).toEqual([]);
  expect(callSlots.running.state.running).toBe(0);
});
