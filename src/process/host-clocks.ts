// The clocks of the host.
import { uptime } from "node:os";
import type { GuardClocks } from "../domain/clock-guard.ts";

export const hostClocks: GuardClocks = {
  system: () => Date.now(),
  monotonic: () => performance.now(),
  uptime: () => 1000 * uptime(),
};
