// Events as readers and receivers get them: the feed and the webhooks send the same messages.
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { eventId, type LoggedEvent } from "../../domain/events/event.ts";
import { AssessmentForm } from "../../gen/assessment/v1/assessment_pb.ts";
import { type Event, EventSchema } from "../../gen/assessment/v1/event_service_pb.ts";
import { SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { byWord } from "../../json/members.ts";
import { toJson } from "../../json/message-json.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { resourceOf } from "../../kernel/event-types.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import type { ClientCall } from "../../pipeline/call.ts";
import type { Needs } from "../dependencies.ts";

const forms = byWord(AssessmentForm);
const modes = byWord(SessionMode);

/** The message of an event as JSON. */
export const eventJson = toJson(EventSchema);

export type DescriptionDeps = Needs<"events" | "catalogue">;

/** The events as messages. External ids are read from the sessions at this moment, and are stored nowhere else. */
export async function describeEvents(
  { events: store, catalogue }: DescriptionDeps,
  events: readonly LoggedEvent[],
  includeExternalId: boolean,
  signal: AbortSignal,
): Promise<Event[]> {
  const sessions = events
    .filter(({ type }) => resourceOf(type) === "session")
    .map(({ partnerId, resourceId: id }) => ({ partnerId, id }));
  const withExternalIds = includeExternalId && sessions.length > 0;
  const externalIds = withExternalIds ? await store.findExternalIds(sessions, signal) : new Map<string, string>();
  return Promise.all(
    events.map(async (event) => {
      const { type, occurredAt, sequence, partnerId, resourceId, assessmentId, mode } = event;
      if (assessmentId === null) throw new Error("an event names no assessment");
      const { product, version, form } = await catalogue.byId(assessmentId);
      const kind = resourceOf(type);
      const externalId = externalIds.get(resourceId);
      return create(EventSchema, {
        id: eventId(event),
        type,
        timestamp: timestampFromDate(occurredAt),
        sequence: BigInt(sequence),
        data: {
          ...(kind === "session" ? { sessionId: resourceId } : { groupId: resourceId }),
          product,
          ...(kind === "session" && type !== "session.erased" && { assessmentVersion: version, form: forms[form] }),
          ...(mode !== null && { mode: modes[mode] }),
          ...(externalId !== undefined && { externalId }),
          test: isTestTwin(partnerId),
        },
      });
    }),
  );
}

/** A caller who may not read sessions gets no external ids, and may not have them sent anywhere. Throws `permission_denied`. */
export function requireScopeForExternalIds(
  { scopes }: Pick<ClientCall, "scopes">,
  { includeExternalId }: { readonly includeExternalId: boolean },
): void {
  if (scopes.has("sessions:read") || !includeExternalId) return;
  const detail = "The access token lacks the scope `sessions:read`, which external ids require.";
  throw new Refusal("permission_denied", detail, { facts: { scope: "sessions:read" } });
}
