// Functions that open something which has to be closed again.

type Closable = { stop(): unknown } | { close(): unknown } | { drop(): unknown };

/** The function with its result closed at an end. @param atEnd registers what is to be done then, as `afterAll` does */
export function closedAt<A extends readonly unknown[], T extends Closable>(
  atEnd: (close: () => Promise<void>) => void,
  open: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  return async (...args) => {
    const resource = await open(...args);
    atEnd(async () => {
      if ("stop" in resource) await resource.stop();
      else await ("close" in resource ? resource.close() : resource.drop());
    });
    return resource;
  };
}
