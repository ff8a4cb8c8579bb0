// A partner that follows the feed with waiting calls and keeps its cursor, whatever happens to the service.
import { setTimeout as pause } from "node:timers/promises";
import { restTransport } from "../../../support/transports/rest-transport.ts";
import { until } from "../../../support/until.ts";
import type { EventName } from "./event-log.ts";

const retryPauseMs = 40;
const waitSeconds = 2;

export class FeedReader {
  /** All that was read, in its order. */
  readonly names: EventName[] = [];
  /** What no reader should ever see. */
  readonly violations: string[] = [];
  readonly #loop: Promise<void>;
  #isEnding = false;

  constructor(httpUrl: string, token: string) {
    this.#loop = this.#follow(httpUrl, token);
  }

  /** Resolves when so many events were read. */
  async untilRead(count: number): Promise<void> {
    await until(() => this.names.length >= count || this.violations.length > 0);
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#loop;
  }

  async #follow(httpUrl: string, token: string): Promise<void> {
    const transport = restTransport(httpUrl);
    let after = "";
    let last = 0;
    while (!this.#isEnding) {
      const query = { ...(after === "" ? {} : { after }), wait: waitSeconds, limit: 500 };
      const outcome = await transport.listEvents({ token }, query).catch(() => undefined);
      if (outcome === undefined || !outcome.ok) {
        if (outcome?.code === "invalid_request" || outcome?.code === "events_expired") {
          this.violations.push(`a reader was told ${outcome.code}`);
          return;
        }
        await pause(retryPauseMs);
        continue;
      }
      for (const { sequence, type, data } of outcome.body.events) {
        if (Number(sequence) <= last) this.violations.push(`${sequence} came after ${last}`);
        last = Number(sequence);
        this.names.push(`${type} ${data.sessionId}`);
      }
      after = outcome.body.next;
    }
  }
}
