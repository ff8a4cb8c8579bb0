// What is made for the first who asks, so that no start pays for it.

/** Gives what `make` gives, which is called for the first who asks. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
