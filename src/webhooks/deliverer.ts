// The deliverer of a process: leases endpoints that are due, works on them side by side, and saves what became of them.
import type { ClaimedEndpoint, DeliveryStore, UnsavedReports } from "../domain/webhooks/delivery-port.ts";
import { EndpointRun, type EndpointRunDeps } from "./lease/endpoint-run.ts";

const leaseMs = 10_000;
const renewalMs = 2_500;
const claimBatch = 20;
/** Endpoints that are leased for each webhook that can be under way: most of them wait for an answer or a place. */
const runsPerSlot = 4;
const stopTimeoutMs = 5_000;
const stopPollMs = 50;

export interface DelivererDeps extends Omit<EndpointRunDeps, "deliveries"> {
  readonly deliveries: DeliveryStore;
  /** Webhooks under way at a time. */
  readonly concurrency: number;
  readonly pause: (ms: number) => Promise<void>;
}

interface Running {
  readonly run: EndpointRun;
  savedAt: number;
}

export class Deliverer {
  /** How long an endpoint is leased. */
  readonly leaseMs = leaseMs;
  readonly #deps: DelivererDeps;
  readonly #end = new AbortController();
  readonly #running = new Map<string, Running>();
  #isStopped = false;
  #pass: Promise<void> = Promise.resolve();

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
  }

  /** Saves what was done since the last time, then takes on more. To be called again and again, one call at a time. */
  run(signal: AbortSignal): Promise<void> {
    this.#pass = this.#save(signal).then(() => this.#claim(signal));
    return this.#pass;
  }

  /** Takes on nothing more, lets requests end within the time, saves, and gives all leases back. */
  async stop(patienceMs: number): Promise<void> {
    const { monotonic, pause } = this.#deps;
    this.#isStopped = true;
    const endsAt = monotonic() + patienceMs;
    for (const { run } of this.#running.values()) run.stop();
    await this.#pass.catch(() => undefined);
    while (this.#running.size > 0) {
      if (monotonic() >= endsAt) this.#end.abort();
      const isSaved = await this.#save(AbortSignal.timeout(stopTimeoutMs)).then(
        () => true,
        () => false,
      );
      // Without a database the leases end by their time.
      if (!isSaved && monotonic() >= endsAt) return;
      if (this.#running.size > 0) await pause(stopPollMs);
    }
  }

  async #save(signal: AbortSignal): Promise<void> {
    const { deliveries, monotonic } = this.#deps;
    const startedAt = monotonic();
    const wanted = [...this.#running.values()].filter(
      ({ run, savedAt }) => run.journal.isWanted || startedAt - savedAt >= renewalMs,
    );
    if (wanted.length === 0) return;
    const reports = wanted.map(({ run }) => run.journal.report());
    let unsaved: UnsavedReports;
    try {
      unsaved = await deliveries.saveReports(reports, leaseMs, signal);
    } catch (error) {
      for (const running of wanted) this.#keep(running);
      throw error;
    }
    for (const [index, running] of wanted.entries()) {
      const report = reports[index];
      if (report === undefined) continue;
      const { id } = report.endpoint;
      if (unsaved.busy.has(id)) {
        this.#keep(running);
        continue;
      }
      const isLost = unsaved.lost.has(id);
      const isEnded = report.isOver || report.disabledReason !== null;
      if (isLost) running.run.abandon();
      else running.run.journal.acknowledge(report);
      if (isLost || isEnded) this.#running.delete(id);
      if (report.disabledReason !== null) running.run.abandon();
      running.savedAt = startedAt;
      running.run.leaseUntil = startedAt + leaseMs;
    }
  }

  /** Nothing is saved while the database is away, or an endpoint locked. When the lease is over, the work is another's. */
  #keep({ run }: Running): void {
    run.journal.keep();
    if (this.#deps.monotonic() < run.leaseUntil) return;
    run.abandon();
    this.#running.delete(run.journal.endpoint.id);
  }

  async #claim(signal: AbortSignal): Promise<void> {
    const { deliveries, monotonic, concurrency } = this.#deps;
    let isEnd = false;
    while (!isEnd && !this.#isStopped && !signal.aborted) {
      const room = runsPerSlot * concurrency - this.#running.size;
      if (room <= 0) return;
      const startedAt = monotonic();
      const claimed = await deliveries.claimEndpoints(Math.min(claimBatch, room), leaseMs, signal);
      for (const endpoint of claimed.endpoints) this.#begin(endpoint, startedAt);
      isEnd = claimed.isEnd || claimed.endpoints.length === 0;
    }
  }

  #begin(endpoint: ClaimedEndpoint, startedAt: number): void {
    // A lease that this process lost without knowing.
    this.#running.get(endpoint.id)?.run.abandon();
    const run = new EndpointRun(
      this.#deps,
      endpoint,
      { claimedAt: startedAt, until: startedAt + leaseMs },
      this.#end.signal,
    );
    this.#running.set(endpoint.id, { run, savedAt: startedAt });
    if (this.#isStopped) run.stop();
    void run.work();
  }
}
