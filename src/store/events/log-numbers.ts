// Numbers of the log. After a part of the database was lost, all of them go on from the next multiple of 2^32, so that
// none is given twice. Numbers of JavaScript are exact for two million such losses.

/** How many numbers are left out. */
export const skippedNumbers = 2 ** 32;

/** The least number that a partner's log can have reached. @param position of the last event of the whole log */
export function firstSequence(position: number): number {
  return Math.floor(position / skippedNumbers) * skippedNumbers;
}
