// How late events come to those who follow the feed, at four fifths of what the service can do.

import { bodyOf } from "../../e2e/cases/case.ts";
import { restTransport } from "../../support/transports/rest-transport.ts";
import { type Bench, nodeOptionsOf } from "../bench.ts";
import { percentile } from "../report/statistics.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { type Service, startService } from "../servers/service.ts";

const loadShare = 0.8;
const waitSeconds = 1;

export interface Lag {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly events: number;
  /** Assessments a second while it was measured. */
  readonly rate: number;
}

/** From the time of each event to its arrival in a waiting call, for which both clocks are the machine's. */
export async function measureLag({ options, server, load }: Bench): Promise<Lag> {
  await using started = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  started.defer(() => database.drop());
  const service = await startService(database, nodeOptionsOf(options, "events-lag"));
  started.defer(() => service.stop());
  const { clients, seconds } = options;
  const order = { kind: "whole", target: service.target("rest"), clients } as const;
  const capacity = await load.ask({ ...order, seconds });
  const perSecond = (loadShare * capacity.completed) / capacity.seconds;
  const feed = followFeed(service);
  const { completed, seconds: took } = await load.ask({ ...order, seconds: 2 * seconds, perSecond });
  const lags = await feed.end();
  return { p50Ms: percentile(lags, 0.5), p99Ms: percentile(lags, 0.99), events: lags.length, rate: completed / took };
}

function followFeed(service: Service) {
  const { port, token } = service.target("rest");
  const transport = restTransport(`http://127.0.0.1:${port}`);
  const lags: number[] = [];
  let isEnding = false;
  const follow = async () => {
    for (let after = "now"; ; ) {
      const { events, next } = bodyOf(await transport.listEvents({ token }, { after, wait: waitSeconds, limit: 500 }));
      const now = Date.now();
      lags.push(...events.map(({ timestamp }) => now - Date.parse(timestamp)));
      after = next;
      if (isEnding && events.length === 0) return;
    }
  };
  const following = follow();
  return {
    /** Reads to the end. */
    async end(): Promise<readonly number[]> {
      isEnding = true;
      await following;
      return lags;
    },
  };
}
