// Commands that take more than one call of one rpc, or print more than its response.
import { ComparisonSchema } from "../../gen/assessment/v1/branding_pb.ts";
import { EventService } from "../../gen/assessment/v1/event_service_pb.ts";
import { PartnerService, type SessionPolicy } from "../../gen/assessment/v1/partner_service_pb.ts";
import { SandboxService } from "../../gen/assessment/v1/sandbox_service_pb.ts";
import { SessionModeSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { WebhookService } from "../../gen/assessment/v1/webhook_service_pb.ts";
import { parseEnumWord, toEnumWord } from "../../json/members.ts";
import type { CommandCall, JsonFields } from "./row.ts";

const { method: partners } = PartnerService;

export async function brandPartner({ request, options, call, print }: CommandCall): Promise<void> {
  const { partnerId, branding: fields } = request;
  const offer = options.offerLongForm;
  const changes = offer === undefined ? fields : { ...(fields as JsonFields), offerLongForm: offer === "on" };
  const current = (await call({ partnerId }, partners.getBranding)).branding as JsonFields;
  if (changes === undefined) return print({ partnerId, ...current });
  const comparison = parseEnumWord(ComparisonSchema, String(current.comparison));
  const { branding } = await call({ partnerId, branding: applyChanges({ ...current, comparison }, changes) });
  print({ partnerId, ...(branding as JsonFields) });
}

export async function showOrSetClock({ request, options, partner, call, print }: CommandCall): Promise<void> {
  const isShown = request.now === undefined && !options.real;
  const { clock } = isShown ? await call({}, SandboxService.method.getTestClock) : await call(request);
  print({ partnerId: partner, ...(clock as JsonFields) });
}

/** Of one partner, or of all but test twins. */
export async function printUsage({ request, call, items, print, say }: CommandCall): Promise<void> {
  const all = request.partnerId === undefined ? items({}, partners.listPartners) : [request];
  let countedUntil: unknown;
  for await (const { partnerId, twinOf } of all) {
    if (twinOf) continue;
    const { days, countedAt } = await call({ ...request, partnerId });
    for (const each of days as JsonFields[]) print({ partnerId, ...each });
    countedUntil ??= countedAt;
  }
  if (countedUntil !== undefined) say(`counted until ${countedUntil}`);
}

export async function exportPerson({ request, pages, print }: CommandCall): Promise<void> {
  const sessions = [];
  let last: JsonFields = {};
  for await (const page of pages(request)) {
    sessions.push(...(page.sessions as JsonFields[]));
    last = page;
  }
  const { subject, ...end } = last;
  print({ subject, product: request.product, ...end, sessions });
}

export async function setPolicy({ request: { partnerId, policy }, call, print }: CommandCall): Promise<void> {
  const { policies } = await call({ partnerId }, partners.getSessionPolicies);
  const word = toEnumWord(SessionModeSchema, (policy as SessionPolicy).mode);
  const current = (policies as JsonFields[]).find(({ mode }) => mode === word);
  const response = await call({ partnerId, policy: applyChanges(current, policy) });
  print({ partnerId, ...(response.policy as JsonFields) });
}

export async function listEndpoints({ partner, options, call, items, print }: CommandCall): Promise<void> {
  const all = partner === undefined ? items({}, partners.listPartners) : [{ partnerId: partner }];
  for await (const { partnerId } of all) {
    const { endpoints } = await call({}, WebhookService.method.listWebhookEndpoints, String(partnerId));
    for (const endpoint of endpoints as JsonFields[]) {
      if (!options.failing || endpoint.state !== "healthy") print({ partnerId, ...endpoint });
    }
  }
}

export async function listEvents({ partner, items, print }: CommandCall): Promise<void> {
  const { listAllEvents, listEvents: ofPartner } = EventService.method;
  for await (const item of items({}, partner === undefined ? listAllEvents : ofPartner)) {
    const { partnerId = partner, event = item } = item;
    print({ partnerId, ...(event as JsonFields) });
  }
}

/** A message with other members; an empty text, and `never`, remove what was there. */
function applyChanges(current: unknown, changes: unknown): JsonFields {
  const members = Object.entries({ ...(current as JsonFields), ...(changes as JsonFields) });
  return Object.fromEntries(members.filter(([, value]) => value !== null && value !== "" && value !== "never"));
}
