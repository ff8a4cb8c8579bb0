// Usage: how many sessions partners had, by day. Counts name no person and no session, so erasing does not change
// them.

import type { Message } from "@bufbuild/protobuf";
import { type GetUsageRequest, GetUsageResponseSchema } from "../../gen/assessment/v1/partner_service_pb.ts";
import { SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { messageOf } from "../../json/message-of.ts";
import { type Deadline, dayMs } from "../../kernel/environment.ts";
import { invalidRequest, refuseIfAny } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { isCalendarDay } from "../../kernel/formats.ts";
import { isTestTwin, parseUuid } from "../../kernel/ids.ts";
import type { UsageKey } from "../../store/usage/usage-store.ts";
import type { Needs } from "../dependencies.ts";
import { getPartner } from "../identity/partners.ts";

const defaultDays = 30;
const defaultPageSize = 1_000;
/** The order in which stores list them. */
const modeOrder: readonly UsageKey["mode"][] = [null, "headless", "hosted"];

export type UsageDeps = Needs<"identities" | "usage" | "shards" | "clock">;

const toUsage = messageOf(GetUsageResponseSchema);

/**
 * A page of usage: by day, partner and mode. It may have fewer days than asked for, or none, although there are more.
 * @param query its `partnerId` empty: all partners without test twins
 * Throws `not_found` for an unknown partner, and `invalid_request`.
 */
export async function getUsage(deps: UsageDeps, query: Omit<GetUsageRequest, keyof Message>, deadline: Deadline) {
  refuseIfAny(dayViolations(query));
  const after = query.pageToken === "" ? null : readPageToken(query.pageToken);
  const partnerId = query.partnerId === "" ? undefined : (await getPartner(deps, query.partnerId, deadline)).id;
  const until = query.until === "" ? addDays(dayOf(deps.clock()), 1) : query.until;
  const from = query.from === "" ? addDays(until, -defaultDays) : query.from;
  const size = query.pageSize === 0 ? defaultPageSize : query.pageSize;
  const stores = partnerId === undefined ? deps.shards().map(({ usage }) => usage) : [deps.usage];
  const lists = await Promise.all(
    stores.map((store) => store.listUsage({ partnerId, from, until }, after, size + 1, deadline.signal)),
  );
  const days = lists.flat().toSorted((one, other) => (pageToken(one) < pageToken(other) ? -1 : 1));
  const page = days.slice(0, size);
  const last = page.at(-1);
  const shownDays = partnerId === undefined ? page.filter((day) => !isTestTwin(day.partnerId)) : page;
  return toUsage({
    days: shownDays.map((day) => ({ ...day, mode: day.mode ?? SessionMode.UNSPECIFIED })),
    nextPageToken: days.length > size && last !== undefined ? pageToken(last) : "",
    countedAt: await findCountedAt(deps, deadline.signal),
  });
}

/** Everything up to this time is counted on all shards: events are, once they are in the log. */
async function findCountedAt({ shards, clock }: UsageDeps, signal: AbortSignal): Promise<Date> {
  const ages = await Promise.all(shards().map(({ events }) => events.findUnpublishedAge(signal)));
  return new Date(clock() - 1_000 * Math.max(...ages));
}

/** Tokens are in the order of the days. */
function pageToken({ day, partnerId, mode }: UsageKey): string {
  return [day, partnerId, modeOrder.indexOf(mode)].join(".");
}

function readPageToken(token: string): UsageKey {
  const [day = "", id = "", place = ""] = token.split(".");
  const partnerId = parseUuid(id);
  const mode = place === "" ? undefined : modeOrder[Number(place)];
  if (isDay(day) && partnerId !== undefined && mode !== undefined) return { day, partnerId, mode };
  const detail = "The service did not issue this page token.";
  throw invalidRequest([{ path: ["pageToken"], code: "invalid_format", detail }]);
}

function dayViolations({ from, until }: Pick<GetUsageRequest, "from" | "until">): Violation[] {
  return Object.entries({ from, until }).flatMap(([name, day]) =>
    day === "" || isDay(day)
      ? []
      : [{ path: [name], code: "invalid_format", detail: "A day is written as 2026-11-21." }],
  );
}

/** Whether a text is a valid date, of the years 1000 to 9999. */
function isDay(text: string): boolean {
  return /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && isCalendarDay(text);
}

/** The day of a time in UTC. @param time milliseconds since 1970; NaN gives an empty text */
function dayOf(time: number): string {
  return Number.isNaN(time) ? "" : new Date(time).toISOString().slice(0, 10);
}

/** The day that is the given number of days later. */
function addDays(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * dayMs);
}
