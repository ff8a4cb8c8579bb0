// Join codes as their partner creates and revokes them.
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { encodeQR } from "qr";
import { createJoinCode, formatJoinCode } from "../../domain/groups/join-code.ts";
import { hashSecret } from "../../domain/identity/secrets.ts";
import type { GroupService } from "../../gen/assessment/v1/group_service_pb.ts";
import { PersonAccess, SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { dayMs } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { ServiceImpl } from "../../pipeline/call.ts";
import type { Dependencies } from "../dependencies.ts";
import { findRedirectUrlViolations } from "../sessions/session-request.ts";
import { getStoredGroup } from "./groups.ts";

const defaultLifetimeMs = 7 * dayMs;
const maxDays = 90;
/** Modules around a QR code that readers need. */
const quietZone = 4;

export function createJoinCodeRpcs(deps: Dependencies) {
  const { groups, random } = deps;
  return {
    /** Gives a group a join code in place of the one that it had. Throws `group_closed` and `hosted_off` as well. */
    async createJoinCode(request, call) {
      const pagesUrl = deps.pagesUrl();
      const group = await getStoredGroup(deps, request, call);
      const { redirectUrl, maxSessions } = request;
      const now = call.now();
      const closesAt = group.closesAt?.getTime() ?? Number.POSITIVE_INFINITY;
      const defaultEnd = new Date(Math.min(now + defaultLifetimeMs, closesAt));
      const expiresAt = request.expiresAt === undefined ? defaultEnd : timestampDate(request.expiresAt);
      const isInRange = expiresAt.getTime() > now && expiresAt.getTime() <= Math.min(now + maxDays * dayMs, closesAt);
      const detail = `A join code ends in the future, within ${maxDays} days, and when its group closes at the latest.`;
      if (group.closedAt !== null || closesAt <= now) throw new Refusal("group_closed", details.group_closed);
      throwIfInvalid([
        ...findRedirectUrlViolations(redirectUrl, SessionMode.HOSTED),
        ...(isInRange ? [] : [{ path: ["expiresAt"], code: "out_of_range", detail }]),
      ]);
      const newCode = createJoinCode(random);
      const personAccess =
        request.personAccess === PersonAccess.AFTER_COMPLETION ? ("after_completion" as const) : ("none" as const);
      const joinCode = { redirectUrl, personAccess, expiresAt, maxSessions, joinedSessions: 0 };
      if (!(await groups.saveJoinCode(group, { ...joinCode, hash: hashSecret(newCode) }, call.signal))) {
        throw new Refusal("group_closed", details.group_closed);
      }
      const code = formatJoinCode(newCode);
      const url = `${pagesUrl}/join/${code}`;
      return { code, url, qrSvg: encodeQR(url, "svg", { ecc: "medium", border: quietZone }), expiresAt, maxSessions };
    },

    /** Ends the join code of a group, if it has one. */
    async revokeJoinCode(request, call) {
      const group = await getStoredGroup(deps, request, call);
      await groups.endJoinCode(group, new Date(call.now()), call.signal);
      return {};
    },
  } satisfies Partial<ServiceImpl<typeof GroupService>>;
}
