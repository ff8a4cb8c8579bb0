// Index access that throws if out of range.

/**
 * The element at an index that was checked when the model was compiled.
 * @throws RangeError if there is none.
 */
export function at<T>(list: readonly T[], index: number): T {
  const element = list[index];
  if (element === undefined) throw new RangeError(`no element ${index} in a list of ${list.length}`);
  return element;
}
