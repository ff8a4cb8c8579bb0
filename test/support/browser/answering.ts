// Answers as a person gives them on the hosted pages, and what has become of them.
import type { Page } from "playwright-core";
import { ratings } from "../../../src/domain/sessions/session.ts";
import type { TestApp } from "../app.ts";

/** What this person answers to the statement at a position, 1 to 7 or as many as there are choices. */
export function ratingAt(position: number, choices = 7): number {
  return 1 + ((position * 3 + Math.trunc(position / 7)) % choices);
}

/** Clicks an answer to every statement of the page. @param first position of its first statement @returns the number */
export async function clickAnswers(page: Page, first: number, choices = 7): Promise<number> {
  const groups = page.locator("fieldset");
  const count = await groups.count();
  for (let index = 0; index < count; index += 1) {
    const choice = groups
      .nth(index)
      .locator("input[type=radio]")
      .nth(ratingAt(first + index, choices) - 1);
    await choice.click();
  }
  return count;
}

/** Ratings as the database holds them, by position; null if there is none. */
export async function storedRatings(app: TestApp, sessionId: string): Promise<(number | null)[]> {
  const sql = "SELECT answers FROM sessions WHERE id = ?";
  const [rows] = await app.database.connection.query(sql, [Buffer.from(sessionId.replaceAll("-", ""), "hex")]);
  const [row] = rows as { answers: Buffer }[];
  return row === undefined ? [] : [...ratings.read(row.answers)];
}
