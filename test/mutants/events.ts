// Faults in events and webhooks.
import type { Mutant } from "./mutant.ts";

const deliveries = ["test/store/webhooks/deliveries.test.ts"];

export const eventMutants: readonly Mutant[] = [
  {
    fault: "what is of no session is shown as one in the log of deliveries",
    file: "src/store/webhooks/webhook-store.ts",
    replace: "return id !== null && isOfSession(type) ?",
    by: "return id !== null ?",
    project: "mariadb",
    tests: deliveries,
  },
  {
    fault: "parked events do not keep their type",
    file: "src/store/webhooks/lease-reports.ts",
    replace: "    uuidToBytes(resourceId),\n    codeOf(type),\n",
    by: "    uuidToBytes(resourceId),\n    codeOf(type) && null,\n",
    project: "mariadb",
    tests: deliveries,
  },
  {
    fault: "an event that is delivered once more does not keep its type",
    file: "src/store/webhooks/webhook-store.ts",
    replace: "[name.id, sequence, resource_id, type, 0, now?.at]",
    by: "[name.id, sequence, resource_id, type && null, 0, now?.at]",
    project: "mariadb",
    tests: deliveries,
  },
  {
    fault: "an event that is delivered once more goes on with the tries that it had",
    file: "src/store/webhooks/webhook-store.ts",
    replace: "dead_at = NULL, attempts = 0`",
    by: "dead_at = NULL`",
    project: "mariadb",
    tests: deliveries,
  },
  {
    fault: "each save says that an endpoint fails since now",
    file: "src/store/webhooks/lease-reports.ts",
    replace: "failures === 0 ? null : (row.failing_since ?? row.now)",
    by: "failures === 0 ? null : row.now",
    project: "mariadb",
    tests: deliveries,
  },
];
