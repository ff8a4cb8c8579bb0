// What only callers may do that reach test data and nothing else.
import { isTestTwin } from "../../kernel/test-tenant.ts";
import { DomainError } from "../errors.ts";

/** Throws `permission_denied` unless the partner is a test twin. */
export function requireTestTwin(partnerId: string): void {
  if (isTestTwin(partnerId)) return;
  throw new DomainError("permission_denied", "Only credentials of a test twin allow this.");
}
