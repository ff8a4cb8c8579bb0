// Leases of background jobs, in MySQL.
import type { Knex } from "knex";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { sql, write } from "../../database/statement.ts";
import type { JobLeaseStore } from "../../domain/jobs/job-lease-port.ts";

/** A lease that ends later than this many of its durations from now was taken by a clock that was wrong. */
const longestShare = 2;

const end = "NOW(3) + INTERVAL :microseconds MICROSECOND";
export const statements = {
  take: sql`UPDATE job_leases SET holder = :holder, expires_at = ${end}
    WHERE name = :name
      AND (holder = :holder OR expires_at <= NOW(3) OR expires_at > NOW(3) + INTERVAL :longest MICROSECOND)`,
  insert: sql`INSERT INTO job_leases (name, holder, expires_at) VALUES (:name, :holder, ${end})`,
  release: sql`UPDATE job_leases SET expires_at = NOW(3) WHERE name = :name AND holder = :holder`,
};

/** The job lease part of the Store port. */
export function createJobLeaseStore(db: Knex): JobLeaseStore {
  return {
    async takeLease(job, holder, durationMs, signal) {
      const values = { name: Buffer.from(job), holder: Buffer.from(holder), microseconds: 1000 * durationMs };
      const longest = longestShare * values.microseconds;
      if ((await write(db, statements.take, { ...values, longest }, signal)) === 1) return true;
      try {
        // The first lease of this job ever.
        await write(db, statements.insert, values, signal);
        return true;
      } catch (error) {
        // Somebody else has it; or an earlier try of ours was thought lost, and the next update renews it.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async releaseLease(job, holder, signal) {
      await write(db, statements.release, { name: Buffer.from(job), holder: Buffer.from(holder) }, signal);
    },
  };
}
