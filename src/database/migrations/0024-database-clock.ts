// How far the clock of the database was found right, and the step that an operator has to look at. One row.
import type { Step } from "./step.ts";

export const databaseClock: readonly Step[] = [
  `CREATE TABLE IF NOT EXISTS database_clock (
    id TINYINT NOT NULL PRIMARY KEY,
    accepted_at DATETIME(3) NULL,
    stepped_from DATETIME(3) NULL,
    stepped_to DATETIME(3) NULL
  )`,
  {
    unless: "SELECT 1 FROM database_clock WHERE id = 1",
    sql: "INSERT INTO database_clock (id) VALUES (1)",
  },
];
