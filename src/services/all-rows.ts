/** All rows of a list, in batches of a size. @param read reads the batch after a row; undefined: the first one */
export async function* readAllRows<T>(
  size: number,
  read: (last: T | undefined) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  for (let last: T | undefined; ; ) {
    const batch = await read(last);
    yield* batch;
    last = batch.at(-1);
    if (batch.length < size) return;
  }
}
