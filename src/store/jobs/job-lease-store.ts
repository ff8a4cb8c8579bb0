// Leases of background jobs, in MySQL.
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/statement.ts";

const end = "NOW(3) + INTERVAL :microseconds MICROSECOND";
export const statements = {
  take: sql`UPDATE job_leases SET holder = :holder, expires_at = ${end}
    WHERE name = :name AND (holder = :holder OR expires_at <= NOW(3))`,
  insert: sql`INSERT INTO job_leases (name, holder, expires_at) VALUES (:name, :holder, ${end})`,
  release: sql`UPDATE job_leases SET expires_at = NOW(3) WHERE name = :name AND holder = :holder`,
};

/** The store of leases of jobs. */
export function createJobLeaseStore(db: Database) {
  return {
    /**
     * Takes the lease of a job, or renews it. The database's clock decides whether an earlier lease has expired, so clocks of
     * processes may differ.
     * @param holder 16 bytes, one value for each process
     * @param durationMs from now on, by the database's clock
     * @returns whether the holder has the lease now; false: another one has it
     */
    async takeLease(job: string, holder: Uint8Array, durationMs: number, signal: AbortSignal): Promise<boolean> {
      const values = { name: Buffer.from(job), holder: Buffer.from(holder), microseconds: 1000 * durationMs };
      if (await db.writeOne(statements.take, values, signal)) return true;
      // The first lease of this job ever. False: another process has it; or our earlier attempt seemed to fail but succeeded,
      // and the next update renews it.
      return db.insertIfAbsent(statements.insert, values, signal);
    },
    /** Ends the lease of a job if the holder has it. */
    releaseLease: (job: string, holder: Uint8Array, signal: AbortSignal) =>
      db.write(statements.release, { name: Buffer.from(job), holder: Buffer.from(holder) }, signal),
  };
}

export type JobLeaseStore = ReturnType<typeof createJobLeaseStore>;
