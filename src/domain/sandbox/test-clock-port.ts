// The part of the Store port that keeps the clocks of test twins. A twin without one has the time of everybody.

/** The clock of a test twin. */
export interface TestClock {
  readonly partnerId: string;
  /** How far it is ahead of the database's clock, in milliseconds; above 0. */
  readonly aheadMs: number;
  /** By the twin's clock: sessions that had expired then are noted. */
  readonly expiredThrough: Date;
}

export interface TestClockStore {
  findTestClock(partnerId: string, signal: AbortSignal): Promise<TestClock | undefined>;
  /** Moves the clock of a twin. @param now by its clock from now on */
  saveTestClock(clock: Pick<TestClock, "partnerId" | "aheadMs">, now: Date, signal: AbortSignal): Promise<void>;
  /** Gives the twin the time of everybody again. */
  deleteTestClock(partnerId: string, signal: AbortSignal): Promise<void>;
  /** Clocks after that of a twin, by id, at most `limit`. @param after empty: from the first */
  listTestClocks(after: string, limit: number, signal: AbortSignal): Promise<TestClock[]>;
  /** Keeps how far sessions are noted, unless the clock was moved meanwhile. */
  saveExpiredThrough(clock: TestClock, through: Date, signal: AbortSignal): Promise<void>;
  /** Sessions of the twin whose end has come after the last noted one, by the twin's clock, at most `limit`. */
  listExpiredByTestClock(clock: TestClock, now: Date, limit: number, signal: AbortSignal): Promise<string[]>;
  /** Notes the end of such a session; false if it is none any more. @param now by the twin's clock */
  saveExpiryByTestClock(clock: TestClock, sessionId: string, now: Date, signal: AbortSignal): Promise<boolean>;
}
