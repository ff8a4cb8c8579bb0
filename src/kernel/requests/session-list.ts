// What a request for a list of sessions is held to, whoever reads it first.

import type { Violation } from "../errors/violation.ts";
import { isLongerThan, maxExternalIdLength, versionViolations } from "../formats.ts";
import { groupIdViolations } from "./group-request.ts";

export const maxSessionPageSize = 200;
export const defaultSessionPageSize = 100;

/** What a list is asked for, as far as it can be wrong by itself. */
export interface SessionListRequest {
  /** 0: the default. */
  readonly pageSize: number;
  readonly externalId?: string | undefined;
  readonly version?: number | undefined;
  readonly groupId?: string | undefined;
}

/** Every violation of the request, its cursor aside. */
export function sessionListViolations(request: SessionListRequest): Violation[] {
  const { pageSize, externalId, version, groupId } = request;
  const violations: Violation[] = [];
  if (pageSize < 0 || pageSize > maxSessionPageSize) {
    const detail = `A page has 1 to ${maxSessionPageSize} sessions.`;
    violations.push({ path: ["pageSize"], code: "out_of_range", detail });
  }
  if (externalId !== undefined && isLongerThan(externalId, maxExternalIdLength)) {
    const detail = `An external id has at most ${maxExternalIdLength} characters.`;
    violations.push({ path: ["externalId"], code: "too_long", detail });
  }
  violations.push(...versionViolations(version), ...groupIdViolations(groupId));
  return violations;
}
