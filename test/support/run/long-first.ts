// The order of a run: vitest begins with the largest files, but these few lines run for a minute or more.
import { BaseSequencer, type TestSpecification } from "vitest/node";

const longFiles = [
  "test/deploy/image.test.ts",
  "test/e2e/contract-rest.test.ts",
  "test/e2e/contract-grpc.test.ts",
  "test/e2e/contract-others.test.ts",
  "test/e2e/operation/processes.test.ts",
  "test/e2e/operation/leaving.test.ts",
  "test/faults/mariadb.test.ts",
  "test/faults/runbook/disk-full.test.ts",
  "test/journeys/hosted.test.ts",
  "test/journeys/transports.test.ts",
  "test/loop/anonymous-routes.test.ts",
  "test/loop/rendering-memory.test.ts",
  "test/pages/docs-site.test.ts",
  "test/report-rendering/renderer.test.ts",
  "test/store/events/frozen.test.ts",
  "test/store/server/unavailable.test.ts",
  "test/transport/http/unread-bodies.test.ts",
  "test/validation/people.test.ts",
  "test/validation/recovery.test.ts",
  "test/validation/simulation.test.ts",
];

/** Whatever runs long begins first, lest a run waits for it alone at its end. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => longFiles.some((name) => moduleId.endsWith(name));
    return [...order.filter(isLong), ...order.filter((file) => !isLong(file))];
  }
}
