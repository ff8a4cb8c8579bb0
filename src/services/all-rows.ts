/** All rows of a list that is read row by row. @param findNext reads the row after another one; undefined: the first one */
export async function* readOneByOne<T>(findNext: (last: T | undefined) => Promise<T | undefined>): AsyncGenerator<T> {
  for (let row = await findNext(undefined); row !== undefined; row = await findNext(row)) yield row;
}

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
