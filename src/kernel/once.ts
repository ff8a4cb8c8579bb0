// Values that are computed on first use, so that they do not slow the start.

/** Calls `make` on first use and keeps the result. A promise that fails is made again for the next caller. */
export function once<T>(make: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    if (result === undefined) {
      result = { value: make() };
      if (result.value instanceof Promise) result.value.catch(() => (result = undefined));
    }
    return result.value;
  };
}
