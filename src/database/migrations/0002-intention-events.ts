// How often the one small step after a session's report was set: each time is an event with an id of its own, also after the
// step was removed.
export const intentionEvents: readonly string[] = [
  "ALTER TABLE sessions ADD COLUMN intentions INT UNSIGNED NOT NULL DEFAULT 0, ALGORITHM=INSTANT",
];
