// Places of callers who want a PDF or PNG. The one too many hears so before anything is read for it, and the models of the
// others are made one after the other: many made in one turn of the event loop would keep everybody else waiting.
import { setImmediate } from "node:timers/promises";
import { type RenderingPlace, RenderingUnavailable } from "../products/values-bridge/report/rendering.ts";

export class RenderingPlaces {
  readonly #most: number;
  #taken = 0;
  #lastTurn: Promise<unknown> = Promise.resolve();

  /** @param most how many there are at a time */
  constructor(most: number) {
    this.#most = most;
  }

  /** @throws RenderingUnavailable if all are taken */
  take(): RenderingPlace {
    if (this.#taken >= this.#most) throw new RenderingUnavailable("queue_full");
    this.#taken += 1;
    let isLeft = false;
    return {
      inTurn: (make) => this.#inTurn(make),
      [Symbol.dispose]: () => {
        if (isLeft) return;
        isLeft = true;
        this.#taken -= 1;
      },
    };
  }

  #inTurn<T>(make: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(async () => {
      await setImmediate();
      return make();
    });
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }
}
