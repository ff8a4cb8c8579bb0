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

/** The other partner's calls. */
export interface Worked {
  /** Milliseconds of each. */
  readonly took: readonly number[];
  readonly refused: readonly unknown[];
}

export interface Neighbours {
  /** Makes a call of the busy partner alone. Throws where it is refused. */
  once(name: string): Promise<void>;
  /** The other partner works, beside a flood of the rpc if one is named. */
  work(times: number, flood?: string): Promise<Worked & { readonly flooded?: Flooded }>;
  stop(): Promise<void>;
}

export async function openNeighbours(
  httpUrl: string,
  address: DatabaseAddress,
  tokenOf: (credentials: Credentials) => Promise<string>,
): Promise<Neighbours> {
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

  async function work(times: number): Promise<Worked> {
    const took: number[] = [];
    const refused: unknown[] = [];
    const done = async (name: string, message: Readonly<Record<string, unknown>>) => {
      const from = performance.now();
      const { status, body } = await callRpc(httpUrl, other, name, message);
      took.push(performance.now() - from);
      if (status !== 200) refused.push([name, status, body]);
      return body;
    };
    for (let time = 0; time < times; time += 1) {
      const { sessionId } = await done("SessionService/CreateSession", { product, mode: "SESSION_MODE_HEADLESS" });
      await done("SessionService/RecordAnswers", { product, sessionId, answers: answers.slice(0, 10) });
      await done("SessionService/GetSession", { product, sessionId });
      await done("SessionService/CompleteSession", { product, sessionId, answers });
      await done("SessionService/GetSessionResults", { product, sessionId });
    }
    return { took, refused };
  }

  return {
    async once(name) {
      await flood.ask({ kind: "once", name });
    },
    async work(times, name) {
      if (name === undefined) return work(times);
      await flood.ask({ kind: "begin", name });
      const worked = await work(times);
      return { ...worked, flooded: await flood.ask({ kind: "end" }) };
    },
    stop: () => flood.stop(),
  };
}
