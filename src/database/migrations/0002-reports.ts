// What reports gained after the baseline.
export const reports: readonly string[] = [
  // How often the one small step was set: each time is an event with an id of its own, also after the step was removed.
  "ALTER TABLE sessions ADD COLUMN intentions INT UNSIGNED NOT NULL DEFAULT 0, ALGORITHM=INSTANT",
  `ALTER TABLE partner_brandings ADD COLUMN comparison ENUM('none', 'others') NOT NULL DEFAULT 'none',
    ALGORITHM=INSTANT`,
];
