// The types of events. Each is a bit, so that a number holds a set of them.
import { eventTypes } from "../../kernel/event-types.ts";

export type EventType = (typeof eventTypes)[number];

const bits: ReadonlyMap<string, number> = new Map(eventTypes.map((type, index) => [type, 1 << index]));

export function isEventType(text: string): text is EventType {
  return bits.has(text);
}

/** The bit of a type. */
export function bitOf(type: EventType): number {
  return bits.get(type) ?? 0;
}

/** The types as a set of bits. */
export function bitsOf(types: readonly EventType[]): number {
  return types.reduce((set, type) => set | bitOf(type), 0);
}

/** The types of a set of bits, in their order. Bits of no type are skipped. */
export function typesOf(set: number): EventType[] {
  return eventTypes.filter((type) => (set & bitOf(type)) !== 0);
}
