// What only callers may do that reach test data and nothing else.

import { Refusal } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/test-tenant.ts";

/** Throws `permission_denied` unless the partner is a test twin. */
export function requireTestTwin(partnerId: string): void {
  if (isTestTwin(partnerId)) return;
  throw new Refusal("permission_denied", "Only credentials of a test twin allow this.");
}
