// The table of event types, from which columns, ids, filters, metrics and documents follow. CONTRIBUTING says how to add one.

import type { Violation } from "../../kernel/errors/violation.ts";
import type { Field } from "../stored-fields.ts";

interface EventTypeFacts {
  /** 1 to 255, as stored in columns. It never changes; a new type takes a free one. */
  readonly code: number;
  /** The kind of resource. */
  readonly resource: string;
  /** When the event happens, as partners read it. */
  readonly when: string;
}

const table = {
  "session.created": { code: 1, resource: "session", when: "a session is created" },
  "session.started": { code: 2, resource: "session", when: "its first answer is stored" },
  "session.completed": { code: 4, resource: "session", when: "it is completed" },
  "session.scored": { code: 8, resource: "session", when: "its results can be read" },
  "session.erased": { code: 16, resource: "session", when: "it was erased; `data` has `sessionId` and `product`" },
  "session.cancelled": { code: 32, resource: "session", when: "you cancelled it" },
  "session.expired": {
    code: 64,
    resource: "session",
    when: "it expires; sent again, with its own id, if you reopen it and it expires again",
  },
  "intention.set": {
    code: 3,
    resource: "session",
    when: "the small step after its report is set or changed, once in ten minutes; the event does not contain the step",
  },
  "intention.due": {
    code: 5,
    resource: "session",
    when: "the day begins, in UTC, on which the person wants to look again; the event does not contain the step",
  },
  "group.closed": {
    code: 128,
    resource: "group",
    when: "a group closes, by your request or at its time; `data` has `groupId`",
  },
} as const satisfies Readonly<Record<`${string}.${string}`, EventTypeFacts>>;

export type EventType = keyof typeof table;

/** The kinds of resources that events concern. */
export type ResourceKind = (typeof table)[EventType]["resource"];

/** All types. */
export const eventTypes = Object.keys(table) as readonly EventType[];

const byCode: ReadonlyMap<number, EventType> = new Map(eventTypes.map((type) => [table[type].code, type]));

export function isEventType(text: string): text is EventType {
  return Object.hasOwn(table, text);
}

/** A violation for each unknown type. @param types the member `types` of a request */
export function findEventTypeViolations(types: readonly string[]): Violation[] {
  const detail = `There is no such type of event. There are: ${eventTypes.join(", ")}.`;
  return types.flatMap((type, index) =>
    isEventType(type) ? [] : [{ path: ["types", index], code: "unknown_type", detail }],
  );
}

/** The code of a type, as stored in columns. */
export function toEventCode(type: EventType): number {
  return table[type].code;
}

/** The type of a code. */
export function parseEventCode(code: number): EventType {
  const type = byCode.get(code);
  if (type === undefined) throw new Error(`no type of event has the code ${code}`);
  return type;
}

export const eventTypeField: Field<EventType> = { read: parseEventCode, write: toEventCode };

export function toResourceKind(type: EventType): ResourceKind {
  return table[type].resource;
}

/** When the event happens, as partners read it. */
export function describeEventType(type: EventType): string {
  return table[type].when;
}
