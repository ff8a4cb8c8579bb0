// Commands that take more than one call of one rpc, or print more than its response.
import { ComparisonSchema } from "../../gen/assessment/v1/branding_pb.ts";
import { PartnerService, type SessionPolicy } from "../../gen/assessment/v1/partner_service_pb.ts";
import { SessionModeSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { parseEnumWord, toEnumWord } from "../../json/members.ts";
import type { EnteredCommand, JsonFields } from "./row.ts";

const { method: partners } = PartnerService;

export async function brandPartner({ call, rpc, request, options, print }: EnteredCommand): Promise<void> {
  const { partnerId, branding: fields } = request;
  const offer = options.offerLongForm;
  const changes = offer === undefined ? fields : { ...(fields as JsonFields), offerLongForm: offer === "on" };
  const current = (await call(partners.getBranding, { partnerId })).branding as JsonFields;
  if (changes === undefined) return print({ partnerId, ...current });
  const comparison = parseEnumWord(ComparisonSchema, String(current.comparison));
  const { branding } = await call(rpc, { partnerId, branding: applyChanges({ ...current, comparison }, changes) });
  print({ partnerId, ...(branding as JsonFields) });
}

export async function setPolicy({ call, rpc, request, print }: EnteredCommand): Promise<void> {
  const { partnerId, policy } = request;
  const { policies } = await call(partners.getSessionPolicies, { partnerId });
  const word = toEnumWord(SessionModeSchema, (policy as SessionPolicy).mode);
  const current = (policies as JsonFields[]).find(({ mode }) => mode === word);
  const response = await call(rpc, { partnerId, policy: applyChanges(current, policy) });
  print({ partnerId, ...(response.policy as JsonFields) });
}

/** A message with other members; an empty text, and `never`, remove what was there. */
function applyChanges(current: unknown, changes: unknown): JsonFields {
  const members = Object.entries({ ...(current as JsonFields), ...(changes as JsonFields) });
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== "" && value !== "never"));
}

/** Lists what partners have, each item with its partner. */
export async function listByPartner(command: EnteredCommand): Promise<void> {
  const { readItems, rpc, options, print } = command;
  for await (const partnerId of readPartnerIds(command)) {
    for await (const item of readItems(rpc, {}, partnerId)) {
      if (!options.failing || item.state !== "healthy") print({ partnerId, ...item });
    }
  }
}

export async function printUsage(command: EnteredCommand): Promise<void> {
  const { call, rpc, request, print, say } = command;
  let countedUntil: unknown;
  for await (const partnerId of readPartnerIds(command)) {
    const { days, countedAt } = await call(rpc, { ...request, partnerId });
    for (const each of days as JsonFields[]) print({ partnerId, ...each });
    countedUntil ??= countedAt;
  }
  if (countedUntil !== undefined) say(`counted until ${countedUntil}`);
}

/** The partner that a command names, or else all but test twins. */
async function* readPartnerIds({ readItems, partner, request }: EnteredCommand): AsyncGenerator<string> {
  const { partnerId = partner } = request;
  const all = partnerId === undefined ? readItems(partners.listPartners, {}) : [{ partnerId, twinOf: undefined }];
  for await (const each of all) if (!each.twinOf) yield String(each.partnerId);
}

export async function exportPerson({ readPages, rpc, request, partner, print }: EnteredCommand): Promise<void> {
  const sessions = [];
  let last: JsonFields = {};
  for await (const page of readPages(rpc, request, partner)) {
    sessions.push(...(page.sessions as JsonFields[]));
    last = page;
  }
  const { subject, ...end } = last;
  print({ subject, product: request.product, ...end, sessions });
}
