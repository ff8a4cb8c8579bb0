// Join codes as their partner creates and revokes them.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { encodeQR } from "qr";
import { formatJoinCode, newJoinCode } from "../../domain/groups/join-code.ts";
import { hashSecret } from "../../domain/identity/secrets.ts";
import type { CreateJoinCodeRequest } from "../../gen/assessment/v1/group_service_pb.ts";
import { PersonAccess, SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { dayMs } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { PartnerCall } from "../../pipeline/call.ts";
import type { Needs } from "../dependencies.ts";
import { redirectUrlViolations } from "../sessions/session-request.ts";
import { type GroupRequest, getStoredGroup } from "./groups.ts";

const defaultLifetimeMs = 7 * dayMs;
const maxDays = 90;
/** Modules around a QR code that readers need. */
const quietZone = 4;

/**
 * Gives a group a join code in place of the one that it had.
 * Throws `not_found`, `invalid_request`, `group_closed`, `hosted_off`.
 */
export async function createJoinCode(
  deps: Needs<"groups" | "clock" | "random" | "pagesUrl">,
  request: CreateJoinCodeRequest,
  call: PartnerCall,
) {
  const pagesUrl = deps.pagesUrl();
  const group = await getStoredGroup(deps, request, call);
  const { redirectUrl, maxSessions } = request;
  const now = deps.clock();
  const closesAt = group.closesAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const defaultEnd = new Date(Math.min(now + defaultLifetimeMs, closesAt));
  const expiresAt = request.expiresAt === undefined ? defaultEnd : timestampDate(request.expiresAt);
  const isInRange = expiresAt.getTime() > now && expiresAt.getTime() <= Math.min(now + maxDays * dayMs, closesAt);
  const detail = `A join code ends in the future, within ${maxDays} days, and when its group closes at the latest.`;
  if (group.closedAt !== null || closesAt <= now) throw new Refusal("group_closed", details.group_closed);
  throwIfInvalid([
    ...redirectUrlViolations(redirectUrl, SessionMode.HOSTED),
    ...(isInRange ? [] : [{ path: ["expiresAt"], code: "out_of_range", detail }]),
  ]);
  const code = newJoinCode(deps.random);
  const personAccess =
    request.personAccess === PersonAccess.AFTER_COMPLETION ? ("after_completion" as const) : ("none" as const);
  const joinCode = { hash: hashSecret(code), redirectUrl, personAccess, expiresAt, maxSessions, joinedSessions: 0 };
  if (!(await deps.groups.saveJoinCode(group, joinCode, call.signal))) {
    throw new Refusal("group_closed", details.group_closed);
  }
  const url = `${pagesUrl}/join/${formatJoinCode(code)}`;
  const qrSvg = encodeQR(url, "svg", { ecc: "medium", border: quietZone });
  return { code: formatJoinCode(code), url, qrSvg, expiresAt, maxSessions };
}

/** Ends the join code of a group, if it has one. Throws `not_found`. */
export async function revokeJoinCode(deps: Needs<"groups" | "clock">, request: GroupRequest, call: PartnerCall) {
  const group = await getStoredGroup(deps, request, call);
  await deps.groups.endJoinCode(group, new Date(deps.clock()), call.signal);
  return {};
}
