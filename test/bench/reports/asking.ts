// A process that asks for many documents at once, so that it is the service alone that others wait for.
import { answerParent } from "../servers/child.ts";

export interface AskOrder {
  readonly urls: readonly string[];
  readonly token: string;
}

/** How many documents had which status. */
export type Statuses = Readonly<Record<number, number>>;

answerParent(async ({ urls, token }: AskOrder): Promise<Statuses> => {
  const statuses: Record<number, number> = {};
  const ask = async (url: string) => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  };
  await Promise.all(urls.map(ask));
  return statuses;
});
