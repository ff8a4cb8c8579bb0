// The types of events, as everybody names them.

/** Every type of the log. Stored sets are made of their places, so new ones are added at the end. */
export const eventTypes = [
  "session.created",
  "session.started",
  "session.completed",
  "session.scored",
  "session.erased",
  "session.cancelled",
  "session.expired",
] as const;
