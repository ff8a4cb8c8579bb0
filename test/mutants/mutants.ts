// The table of faults. Each was put in once and left every test green, before the test named here was written.
import { auditMutants } from "./audit.ts";
import { bodyMutants } from "./bodies.ts";
import { domainMutants } from "./domain.ts";
import { eventMutants } from "./events.ts";
import { gatewayMutants } from "./gateway.ts";
import { groupMutants } from "./groups.ts";
import { keptSessionMutants } from "./kept-sessions.ts";
import { limitMutants } from "./limits.ts";
import { metricMutants } from "./metrics.ts";
import type { Mutant } from "./mutant.ts";
import { normMutants } from "./norms.ts";
import { processMutants } from "./process.ts";
import { removalMutants } from "./removals.ts";
import { rpcMutants } from "./rpc.ts";
import { storeMutants } from "./store.ts";
import { strangerMutants } from "./strangers.ts";
import { webMutants } from "./web.ts";

export const mutants: readonly Mutant[] = [
  ...domainMutants,
  ...storeMutants,
  ...keptSessionMutants,
  ...removalMutants,
  ...eventMutants,
  ...rpcMutants,
  ...bodyMutants,
  ...gatewayMutants,
  ...strangerMutants,
  ...auditMutants,
  ...normMutants,
  ...groupMutants,
  ...limitMutants,
  ...metricMutants,
  ...webMutants,
  ...processMutants,
];
