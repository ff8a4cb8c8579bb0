// Events as readers and receivers get them: the feed and the webhooks send the same messages.
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { computeEventId, type LoggedEvent } from "../../domain/events/event.ts";
import { toResourceKind } from "../../domain/events/event-types.ts";
import type { Scope } from "../../domain/identity/scopes.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import { type Event, EventSchema } from "../../gen/assessment/v1/event_service_pb.ts";
import { createJsonWriter, fromModel } from "../../json/messages.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import type { ClientCall } from "../../pipeline/call.ts";
import type { Dependencies } from "../dependencies.ts";
import { nameResults } from "../sessions/results.ts";
import { requireResults } from "../sessions/sessions.ts";

const toEvent = fromModel(EventSchema);

/** The message of an event as JSON. */
export const writeEvent = createJsonWriter(EventSchema);

/** In a process that delivers webhooks, they are those of a shard. */
export type DescriptionDeps = Pick<Dependencies, "events" | "catalogue" | "sessions" | "reportDefect">;

/** Data of persons and their results that events contain, only where it is requested. */
type PersonalContents = Pick<Endpoint, "includeExternalId"> & Partial<Pick<Endpoint, "includeNames">>;

/** The events as messages. External ids and names are read at this moment, and are stored nowhere else. */
export async function describeEvents(
  deps: DescriptionDeps,
  events: readonly LoggedEvent[],
  { includeExternalId, includeNames }: PersonalContents,
  signal: AbortSignal,
): Promise<Event[]> {
  const sessions = events
    .filter(({ type }) => toResourceKind(type) === "session")
    .map(({ partnerId, resourceId: id }) => ({ partnerId, id }));
  const withExternalIds = includeExternalId && sessions.length > 0;
  const externalIds = withExternalIds ? await deps.events.findExternalIds(sessions, signal) : new Map<string, string>();
  return Promise.all(
    events.map(async (event) => {
      const { type, occurredAt, sequence, partnerId, resourceId, assessmentId, mode } = event;
      if (assessmentId === null) throw new Error("an event names no assessment");
      const assessment = await deps.catalogue.getById(assessmentId);
      const { product, version, form } = assessment;
      const isSessionEvent = toResourceKind(type) === "session";
      const hasVersion = isSessionEvent && type !== "session.erased";
      return toEvent({
        id: computeEventId(event),
        type,
        timestamp: occurredAt,
        sequence,
        data: {
          sessionId: isSessionEvent ? resourceId : "",
          groupId: isSessionEvent ? "" : resourceId,
          product,
          assessmentVersion: hasVersion ? version : null,
          form: hasVersion ? form : null,
          mode,
          externalId: externalIds.get(resourceId),
          names:
            includeNames && type === "session.scored" ? await findNames(deps, event, assessment, signal) : undefined,
          test: isTestTwin(partnerId),
        },
      });
    }),
  );
}

/** The names of a session's results; undefined once they, or the session, are deleted. */
async function findNames(
  deps: DescriptionDeps,
  { partnerId, resourceId: id }: LoggedEvent,
  assessment: PublishedAssessment,
  signal: AbortSignal,
) {
  const session = await deps.sessions.findSession({ partnerId, id }, signal);
  if (session === undefined || session.resultsDeletedAt !== null) return undefined;
  return nameResults(deps, requireResults(deps, session), { session, assessment }, undefined);
}

/** Throws `permission_denied` if the caller may not read sessions but wants external ids, or results but wants names. */
export function requireScopesForContents(
  call: Pick<ClientCall, "scopes">,
  { includeExternalId, includeNames }: PersonalContents,
): void {
  const requireScope = (scope: Scope, contents: string) => {
    if (call.scopes.has(scope)) return;
    const detail = `The access token lacks the scope \`${scope}\`, which ${contents} require.`;
    throw new Refusal("permission_denied", detail, { metadata: { scope } });
  };
  // A call of an operator for all partners has no scopes, and requests neither.
  if (includeExternalId) requireScope("sessions:read", "external ids");
  if (includeNames) requireScope("results:read", "names of results");
}
