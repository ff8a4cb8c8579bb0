// Functions that open something which has to be closed again.

type Closable = { stop(): unknown } | { close(): unknown } | { drop(): unknown };

/** The function with its result closed at an end. @param atEnd registers what is to be done then, as `afterAll` does */
export function closedAt<A extends readonly unknown[], T extends Closable>(
  atEnd: (close: () => Promise<void>) => void,
  open: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  return async (...args) => {
    const opened = await open(...args);
    atEnd(async () => {
      if ("stop" in opened) await opened.stop();
      else await ("close" in opened ? opened.close() : opened.drop());
    });
    return opened;
  };
}
