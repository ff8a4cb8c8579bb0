// Values that are computed on first use, so that they do not slow the start.

/** Calls `make` on first use and keeps the result. A promise that fails is made again for the next caller. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    if (made === undefined) {
      made = { value: make() };
      if (made.value instanceof Promise) made.value.catch(() => (made = undefined));
    }
    return made.value;
  };
}
