// Events as readers and receivers get them: the feed and the webhooks send the same messages.
import { eventId, type LoggedEvent } from "../../domain/events/event.ts";
import { toResourceKind } from "../../domain/events/event-types.ts";
import { AssessmentForm } from "../../gen/assessment/v1/assessment_pb.ts";
import { type Event, EventSchema } from "../../gen/assessment/v1/event_service_pb.ts";
import { SessionMode } from "../../gen/assessment/v1/session_service_pb.ts";
import { fromModel } from "../../json/message-from-model.ts";
import { toJson } from "../../json/message-json.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import type { ClientCall } from "../../pipeline/call.ts";
import type { Needs } from "../dependencies.ts";

const toEvent = fromModel(EventSchema);

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
    .filter(({ type }) => toResourceKind(type) === "session")
    .map(({ partnerId, resourceId: id }) => ({ partnerId, id }));
  const withExternalIds = includeExternalId && sessions.length > 0;
  const externalIds = withExternalIds ? await store.findExternalIds(sessions, signal) : new Map<string, string>();
  return Promise.all(
    events.map(async (event) => {
      const { type, occurredAt, sequence, partnerId, resourceId, assessmentId, mode } = event;
      if (assessmentId === null) throw new Error("an event names no assessment");
      const { product, version, form } = await catalogue.byId(assessmentId);
      const isOfSession = toResourceKind(type) === "session";
      const isErased = type === "session.erased";
      return toEvent({
        id: eventId(event),
        type,
        timestamp: occurredAt,
        sequence: BigInt(sequence),
        data: {
          sessionId: isOfSession ? resourceId : "",
          groupId: isOfSession ? "" : resourceId,
          product,
          assessmentVersion: isOfSession && !isErased ? version : null,
          form: isOfSession && !isErased ? form : AssessmentForm.UNSPECIFIED,
          mode: mode ?? SessionMode.UNSPECIFIED,
          externalId: externalIds.get(resourceId),
          test: isTestTwin(partnerId),
        },
      });
    }),
  );
}

/** A caller who may not read sessions gets no external ids, and may not have them sent anywhere. Throws `permission_denied`. */
export function requireScopeForExternalIds(
  call: Pick<ClientCall, "scopes">,
  { includeExternalId }: { readonly includeExternalId: boolean },
): void {
  // An operator's call for all partners has no scopes, and asks for no ids.
  if (!includeExternalId || call.scopes.has("sessions:read")) return;
  const detail = "The access token lacks the scope `sessions:read`, which external ids require.";
  throw new Refusal("permission_denied", detail, { facts: { scope: "sessions:read" } });
}
