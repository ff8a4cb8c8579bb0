// Databases of one test alone: dropped when it is over.
import { onTestFinished } from "vitest";
import { closedAt } from "../closing.ts";
import { createEmptyDatabase, createTestDatabase } from "./database.ts";

export const emptyDatabaseOfTest = closedAt(onTestFinished, createEmptyDatabase);
/** With the schema and the built-in instrument. */
export const databaseOfTest = closedAt(onTestFinished, createTestDatabase);
