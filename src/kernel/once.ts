// What is made for the first who asks, so that no start pays for it.

/** Gives what `make` gives for the first who asks. A promise that fails is made anew for the next one. */
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
