// Events as readers and receivers see them: with the names of product and version, and of the person where it is asked for.

import { eventId, type LoggedEvent } from "../../domain/events/event.ts";
import type { SessionMode } from "../../domain/sessions/session.ts";
import { type EventType, resourceOf } from "../../kernel/event-types.ts";
import { isTestTwin } from "../../kernel/test-tenant.ts";
import type { EventStore } from "../../store/events/event-store.ts";
import type { AssessmentCatalogue } from "../assessments/catalogue.ts";

export interface DescribedEvent {
  readonly id: string;
  readonly type: EventType;
  readonly timestamp: Date;
  readonly sequence: number;
  readonly partnerId: string;
  /** Id of the session, or of what else it happened to. */
  readonly resourceId: string;
  readonly product: string;
  /** Null for an erased session, and for what is no session. */
  readonly assessmentVersion: number | null;
  /** Null for an erased session, and for what is no session. */
  readonly mode: SessionMode | null;
  /** Null where it was not asked for, or the session is gone. */
  readonly externalId: string | null;
  readonly isTest: boolean;
}

export interface DescriptionDeps {
  readonly events: Pick<EventStore, "findExternalIds">;
  readonly catalogue: Pick<AssessmentCatalogue, "byId">;
}

/** The events with their names. External ids are read from the sessions at this moment, and stored nowhere else. */
export async function describeEvents(
  { events: store, catalogue }: DescriptionDeps,
  events: readonly LoggedEvent[],
  includeExternalId: boolean,
  signal: AbortSignal,
): Promise<DescribedEvent[]> {
  const sessions = events
    .filter(({ type }) => resourceOf(type) === "session")
    .map(({ partnerId, resourceId: id }) => ({ partnerId, id }));
  const named = includeExternalId && sessions.length > 0;
  const externalIds = named ? await store.findExternalIds(sessions, signal) : new Map<string, string>();
  return Promise.all(
    events.map(async (event) => {
      const { type, occurredAt, sequence, partnerId, resourceId, assessmentId, mode } = event;
      if (assessmentId === null) throw new Error("an event names no assessment");
      const { product, version } = await catalogue.byId(assessmentId);
      const isOfPresentSession = resourceOf(type) === "session" && type !== "session.erased";
      return {
        id: eventId(event),
        type,
        timestamp: occurredAt,
        sequence,
        partnerId,
        resourceId,
        product,
        assessmentVersion: isOfPresentSession ? version : null,
        mode,
        externalId: externalIds.get(resourceId) ?? null,
        isTest: isTestTwin(partnerId),
      };
    }),
  );
}
