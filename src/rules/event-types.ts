// The types of events, as everybody names them.

/** Every type of the log, in the order in which one session can have them. New ones are added at the end. */
export const eventTypes = [
  "session.created",
  "session.started",
  "session.completed",
  "session.scored",
  "session.erased",
] as const;
