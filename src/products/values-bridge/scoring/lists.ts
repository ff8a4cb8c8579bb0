// Index access that is loud about its mistakes.

/**
 * The element at an index that the model's compilation made sure of.
 * @throws RangeError if there is none.
 */
export function at<T>(list: readonly T[], index: number): T {
  const element = list[index];
  if (element === undefined) throw new RangeError(`no element ${index} in a list of ${list.length}`);
  return element;
}
