// Answers as a person gives them on the hosted pages, and what has become of them.
import type { Locator, Page } from "playwright-core";
import { ratings } from "../../../src/store/sessions/session-columns.ts";
import type { TestApp } from "../app.ts";
import { tap } from "./browser.ts";

/** What this person answers to the statement at a position, 1 to 7 or as many as there are choices. */
export function ratingAt(position: number, choices = 7): number {
  return 1 + ((position * 3 + Math.trunc(position / 7)) % choices);
}

/** Waits until a choice is the chosen one of its statement. */
export function becomesChosen(choice: Locator): Promise<void> {
  return choice.and(choice.page().locator(":checked")).waitFor();
}

/** Taps a choice. A click comes later than its touch: whatever is done next would overtake it. */
export async function choose(choice: Locator): Promise<void> {
  await tap(choice);
  await becomesChosen(choice);
}

/** Taps an answer to every statement of the page. @param first position of its first statement @returns the number */
export async function tapAnswers(page: Page, first: number, choices = 7): Promise<number> {
  const groups = page.locator("fieldset");
  const count = await groups.count();
  for (let index = 0; index < count; index += 1) {
    await choose(
      groups
        .nth(index)
        .locator("input[type=radio]")
        .nth(ratingAt(first + index, choices) - 1),
    );
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
