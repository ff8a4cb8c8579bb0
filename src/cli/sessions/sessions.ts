// pas sessions …: finding, ending and looking after stored sessions.
import { create } from "@bufbuild/protobuf";
import { recordAct } from "../../domain/audit/acts.ts";
import { WriteQueue } from "../../domain/write-queue.ts";
import {
  CreateSessionLinkResponseSchema,
  SessionSchema,
  SessionService,
  SessionSummarySchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { toJson } from "../../kernel/json/message-json.ts";
import { maxSessionPageSize } from "../../kernel/requests/session-list.ts";
import { type Domain, hostedAddress } from "../../process/core.ts";
import { replaceSessionLinks } from "../../services/hosted/session-links.ts";
import { getPartner } from "../../services/identity/partners.ts";
import { inTimeOf } from "../../services/sandbox/test-clock.ts";
import { cancelSession } from "../../services/sessions/lifecycle.ts";
import { rescoreSessions } from "../../services/sessions/scoring.ts";
import { toSummaryMessage } from "../../services/sessions/session-list-messages.ts";
import { listSessions, type SessionListFilter } from "../../services/sessions/session-lists.ts";
import { toSessionMessage, toTimestamp } from "../../services/sessions/session-messages.ts";
import type { CommandContext } from "../command.ts";
import { commandDeadline, countOnEachShard, withDomain } from "../database.ts";
import { unlessFound, unlessKnown } from "../faults.ts";

const summaryJson = toJson(SessionSummarySchema);
const statusJson = toJson(SessionSchema);
const linkJson = toJson(CreateSessionLinkResponseSchema);

interface PartnerOptions {
  /** Id of the partner. */
  readonly partner: string;
  readonly product: string;
}

/** What sessions of a list have in common; left out: anything. */
export interface ListOptions extends PartnerOptions {
  readonly status?: SessionListFilter["state"];
  readonly mode?: SessionListFilter["mode"];
  readonly externalId?: string;
  readonly assessmentVersion?: number;
  readonly createdAfter?: Date;
  readonly createdBefore?: Date;
  readonly completedAfter?: Date;
  readonly completedBefore?: Date;
  readonly group?: string;
  readonly progress?: SessionListFilter["progress"];
  readonly lastActivityBefore?: Date;
}

/** Prints the sessions of a partner that the options let pass, one a line as in the interface, the newest first. */
export function printSessions(context: CommandContext, options: ListOptions): Promise<void> {
  return withDomain(context, async (domain) => {
    const { product } = options;
    const partnerId = await knownPartner(domain, options.partner);
    const query = { partnerId, product, pageSize: maxSessionPageSize, ...filterOf(options) };
    for (let after = ""; ; ) {
      const deadline = commandDeadline();
      const inTime = await inTimeOf(domain, partnerId, deadline.signal);
      const { sessions, next } = await listSessions(inTime, { ...query, after }, deadline).catch(
        unlessFound(`there is no product ${product}`),
      );
      const now = inTime.clock();
      for (const session of sessions) {
        context.print(summaryJson(create(SessionSummarySchema, toSummaryMessage(partnerId, product, session, now))));
      }
      if (next === "") return;
      after = next;
    }
  });
}

export interface CancelOptions extends PartnerOptions {
  readonly eraseAnswers?: true;
}

/** Ends a session for good, as the interface does, and prints its status. */
export async function cancel(context: CommandContext, sessionId: string, options: CancelOptions): Promise<void> {
  const { product, eraseAnswers = false } = options;
  const session = await withDomain(context, async (domain, deadline) => {
    const partnerId = await knownPartner(domain, options.partner);
    const inTime = await inTimeOf({ ...domain, writes: new WriteQueue() }, partnerId, deadline.signal);
    const ended = await recordAct(domain, { action: SessionService.method.cancelSession, partnerId, sessionId }, () =>
      cancelSession(inTime, { partnerId, product, sessionId }, { eraseAnswers }, deadline),
    ).catch(unlessFound("there is no such session of that partner"));
    return create(SessionSchema, toSessionMessage(product, ended, inTime.clock()));
  });
  context.print(statusJson(session));
}

export interface LinkOptions extends PartnerOptions {
  /** When the link ends; left out: after seven days. */
  readonly expires?: Date;
}

/** Gives a hosted session a new link, as the interface does, and prints it. */
export async function link(context: CommandContext, sessionId: string, options: LinkOptions): Promise<void> {
  const { PUBLIC_URL: publicUrl } = context.config;
  if (publicUrl === undefined) throw new Error("set PUBLIC_URL to the address of the service: links begin with it");
  const { product, expires } = options;
  const access = await withDomain(context, async (domain, deadline) => {
    const partnerId = await knownPartner(domain, options.partner);
    const inTime = await inTimeOf(domain, partnerId, deadline.signal);
    return recordAct(domain, { action: SessionService.method.createSessionLink, partnerId, sessionId }, () =>
      replaceSessionLinks(inTime, { partnerId, product, sessionId }, expires, deadline),
    ).catch(unlessFound("there is no such session of that partner"));
  });
  const hostedUrl = hostedAddress(publicUrl, access.linkToken);
  const response = { hostedUrl, expiresAt: toTimestamp(access.expiresAt) };
  context.print(linkJson(create(CreateSessionLinkResponseSchema, response)));
}

/** Scores the completed sessions whose scoring failed. */
export async function rescore(context: CommandContext): Promise<void> {
  const rescoreAll = (domain: Domain) =>
    countOnEachShard(domain, (onShard) => rescoreSessions(onShard, commandDeadline));
  context.print(await withDomain(context, rescoreAll));
}

async function knownPartner(domain: Domain, id: string): Promise<string> {
  const partner = await getPartner(domain, id, commandDeadline()).catch(unlessKnown("partner"));
  return partner.id;
}

function filterOf({ status, assessmentVersion, group, ...options }: ListOptions): SessionListFilter {
  const { mode, externalId, createdAfter, createdBefore, completedAfter, completedBefore } = options;
  const { progress, lastActivityBefore } = options;
  const times = { createdAfter, createdBefore, completedAfter, completedBefore, lastActivityBefore };
  return { state: status, mode, externalId, version: assessmentVersion, groupId: group, progress, ...times };
}
