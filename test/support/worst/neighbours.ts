// One partner and strangers who flood the service with expensive calls, and another partner that works.

import type { DatabaseAddress } from "../../../src/database/database.ts";
import { partnerScopes } from "../../../src/domain/identity/scopes.ts";
import { Child } from "../../bench/servers/child.ts";
import type { Flooded, FloodOrder } from "../../bench/servers/flood.ts";
import { type Credentials, openPartners } from "../databases/partners.ts";
import { localWebhooks, noLimits } from "../processes/settings.ts";
import { answerTo, callRpc, product } from "./partner-calls.ts";

const clients = 5;

/** Variables of a service that neighbours meet at, with limits as they are but for how often somebody may call. */
export const neighbourhood = { ...noLimits, ...localWebhooks };

export type Neighbours = Awaited<ReturnType<typeof openNeighbours>>;

export async function openNeighbours(
  httpUrl: string,
  address: DatabaseAddress,
  tokenOf: (credentials: Credentials) => Promise<string>,
) {
  const partners = openPartners(address);
  const newClient = (partnerId: string) => partners.addClient(partnerId, partnerScopes);
  const busy = await partners.addPartner();
  const credentials = await newClient(busy);
  const tokens = [await tokenOf(credentials)];
  while (tokens.length < clients) tokens.push(await tokenOf(await newClient(busy)));
  const other = await tokenOf(await newClient(await partners.addPartner()));
  const { questions } = await partners.dependencies.catalogue.getPublished(product);
  await partners.close();
  const answers = questions.map(({ id }) => answerTo(id));
  const flood = new Child<FloodOrder, Flooded>("test/bench/servers/flood.ts");
  await flood.ask({ kind: "prepare", busy: { httpUrl, credentials, tokens } });

  /** The other partner's calls: the milliseconds of each, and what was refused. */
  async function work(times: number) {
    const took: number[] = [];
    const refusals: unknown[] = [];
    const done = async (name: string, message: Readonly<Record<string, unknown>>) => {
      const from = performance.now();
      const { status, body } = await callRpc(httpUrl, other, name, message);
      took.push(performance.now() - from);
      if (status !== 200) refusals.push([name, status, body]);
      return body;
    };
    for (let time = 0; time < times; time += 1) {
      const { sessionId } = await done("SessionService/CreateSession", { product, mode: "SESSION_MODE_HEADLESS" });
      await done("SessionService/RecordAnswers", { product, sessionId, answers: answers.slice(0, 10) });
      await done("SessionService/GetSession", { product, sessionId });
      await done("SessionService/CompleteSession", { product, sessionId, answers });
      await done("SessionService/GetSessionResults", { product, sessionId });
    }
    return { took, refused: refusals };
  }

  return {
    /** Makes a call of the busy partner alone. Throws where it is refused. */
    async once(name: string) {
      await flood.ask({ kind: "once", name });
    },
    /** The other partner works, beside a flood of the rpc if one is named. */
    async work(times: number, name?: string) {
      if (name === undefined) return { ...(await work(times)), flooded: undefined };
      await flood.ask({ kind: "begin", name });
      const worked = await work(times);
      return { ...worked, flooded: await flood.ask({ kind: "end" }) };
    },
    stop: () => flood.stop(),
  };
}
