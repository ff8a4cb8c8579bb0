// The job lease part of the Store port: which process runs a background job that runs in one process at a time.

export interface JobLeaseStore {
  /**
   * Takes the lease of a job, or renews it. The database's clock decides whether an earlier lease is over, so clocks of
   * processes may differ. A lease that ends later than two of its durations from now counts as over: the clock was wrong
   * when it was taken.
   * @param holder 16 bytes, one value for each process
   * @param durationMs from now on, by the database's clock
   * @returns whether the holder has the lease now; false: another one has it
   */
  takeLease(job: string, holder: Uint8Array, durationMs: number, signal: AbortSignal): Promise<boolean>;
  /** Ends the lease of a job if the holder has it. */
  releaseLease(job: string, holder: Uint8Array, signal: AbortSignal): Promise<void>;
}
