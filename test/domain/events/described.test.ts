// Events as readers see them: what they are of, and whom they name.
import { describe, expect, test } from "vitest";
import { type EventName, eventId, type LoggedEvent, parseEventId } from "../../../src/domain/events/event.ts";
import type { SessionName } from "../../../src/domain/sessions/session.ts";
import { twinOf } from "../../../src/kernel/test-tenant.ts";
import { describeEvents, eventJson } from "../../../src/services/events/described-events.ts";
import { at, someId } from "../../support/builders.ts";

const { signal } = new AbortController();
const partnerId = someId();

function someEvent(changes: Partial<LoggedEvent> = {}): LoggedEvent {
  const place = { position: 7, sequence: 3, occurrence: 1, occurredAt: at(1), recordedAt: at(2) };
  const of = { partnerId, resourceId: someId(), assessmentId: 1, mode: "headless" } as const;
  return { ...place, ...of, type: "session.created", ...changes };
}

/** Describes events; of each session the person is named by its id. */
async function described(events: readonly LoggedEvent[], includeExternalId: boolean) {
  const asked: SessionName[] = [];
  const deps = {
    events: {
      async findExternalIds(sessions: readonly SessionName[]) {
        asked.push(...sessions);
        return new Map(sessions.map(({ id }) => [id, `person of ${id}`]));
      },
    },
    catalogue: { byId: async (id: number) => ({ product: "values-bridge", version: 10 + id }) },
  };
  return { found: await describeEvents(deps as never, events, includeExternalId, signal), asked };
}

describe("an event", () => {
  const [created, erased, closed] = [
    someEvent(),
    someEvent({ type: "session.erased", mode: null }),
    someEvent({ type: "group.closed", mode: null }),
  ];

  test("of a session has its version and mode; one of an erased session, or of no session, has neither", async () => {
    const { found } = await described([created, erased, closed], false);
    const about = { product: "values-bridge" };
    expect(found.map((event) => eventJson(event).data)).toEqual([
      { sessionId: created.resourceId, assessmentVersion: 11, mode: "headless", ...about },
      { sessionId: erased.resourceId, ...about },
      { groupId: closed.resourceId, ...about },
    ]);
    expect(found.map(eventJson)[0]).toMatchObject({
      id: `evt_${created.resourceId.replaceAll("-", "")}_created`,
      type: "session.created",
      timestamp: at(1).toISOString(),
      sequence: "3",
    });
  });

  test("names the person where that is asked for, and nobody is asked for otherwise", async () => {
    const { found, asked } = await described([created, closed], true);
    expect(asked).toEqual([{ partnerId, id: created.resourceId }]);
    expect(found.map(({ data }) => data?.externalId)).toEqual([`person of ${created.resourceId}`, undefined]);
    expect((await described([created], false)).asked).toEqual([]);
    expect((await described([closed], true)).asked).toEqual([]);
  });

  test("of a test twin says so", async () => {
    const { found } = await described([someEvent({ partnerId: twinOf(partnerId) ?? "" }), created], false);
    expect(found.map(({ data }) => data?.test)).toEqual([true, false]);
  });

  test("without an assessment is a defect", async () => {
    await expect(described([someEvent({ assessmentId: null })], false)).rejects.toThrow("names no assessment");
  });
});

describe("the id of an event", () => {
  const resourceId = "019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e";
  const hex = "019b2f7c41d27a3e9c0d5f1a2b3c4d5e";

  test.each<[EventName["type"], number, string]>([
    ["session.expired", 1, `evt_${hex}_expired`],
    ["session.expired", 2, `evt_${hex}_expired_2`],
    ["group.closed", 1, `evt_${hex}_group_closed`],
  ])("of %s, occurrence %i, is %s, and is read as that", (type, occurrence, id) => {
    expect(eventId({ resourceId, type, occurrence })).toBe(id);
    expect(parseEventId(id)).toEqual({ resourceId, type, occurrence });
  });

  test.each([`evt_${hex}_expired_1`, `evt_${hex}_expired_02`, `evt_${hex}_lost`, `evt_${hex}`, `x_${hex}_expired`, ""])(
    "is not %s",
    (id) => {
      expect(parseEventId(id)).toBeUndefined();
    },
  );
});
