// Which process runs a background job that runs in one process at a time. One row for each such job.

export const jobLeases: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS job_leases (
    name VARBINARY(64) NOT NULL PRIMARY KEY,
    holder BINARY(16) NOT NULL,
    expires_at DATETIME(3) NOT NULL
  )`,
];
