// Lists, page by page.

interface Page {
  /** The cursor of the next page; empty on the last one. */
  readonly next: string;
  /** Of the feed of events, which has a cursor on its last page too. */
  readonly atEnd?: boolean;
}

/** All pages of a list from `after` of the request on: `for await (const { sessions } of pages(client.sessions.listSessions, { product }))`. */
export async function* pages<Request extends object, Response extends Page>(
  call: (request: Request) => Promise<Response>,
  request: Request,
): AsyncGenerator<Response, void, undefined> {
  let page = await call(request);
  yield page;
  while (page.next !== "" && page.atEnd !== true) {
    page = await call({ ...request, after: page.next });
    yield page;
  }
}
