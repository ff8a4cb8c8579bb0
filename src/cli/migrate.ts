// pas migrate: brings the schema up to date, and publishes the instrument of this release where it should be.

import type { DatabaseAddress } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { databaseAt, isDivided, undivided } from "../database/shards.ts";
import { copyToShards } from "../domain/assessments/catalogue.ts";
import { publishShipped, type ShippedOutcome } from "../domain/assessments/shipped.ts";
import { copyKeys } from "../domain/sessions/creation/idempotency-keys.ts";
import type { CommandContext } from "./command.ts";
import {
  commandDeadline,
  countOnEachShard,
  openCommandDatabase,
  openDomain,
  provideDatabase,
  untilDone,
} from "./database.ts";

/** Prepares the database, and prints what was done. */
export async function migrateAndPublish(
  context: CommandContext,
  { rolledOut = false }: { rolledOut?: boolean },
): Promise<void> {
  const database = await provideDatabase(context);
  try {
    const isRolledOut = database.isEmbedded || rolledOut;
    context.print(await prepareDatabase(context, database.address, isRolledOut));
    if (isRolledOut) await copyEarlierKeys(context, database.address);
  } finally {
    await database.release();
  }
}

/** Gives idempotency keys an end that earlier releases have stored without one. It is safe to run again. */
async function copyEarlierKeys({ say, config }: CommandContext, address: DatabaseAddress): Promise<void> {
  await using opened = await openCommandDatabase(say, address, 1);
  const keptDays = config.IDEMPOTENCY_RETENTION_DAYS;
  const domain = await openDomain(opened, say, commandDeadline().signal);
  const newSignal = () => commandDeadline().signal;
  const { copied, ended } = await countOnEachShard(domain, (onShard) => copyKeys(onShard, keptDays, newSignal));
  if (copied + ended > 0) say(`Idempotency keys of earlier releases: ${copied} have an end now, ${ended} have ended.`);
}

/** What a preparation of the database did. */
export interface Prepared {
  /** The migrations applied. */
  readonly applied: string[];
  /** What became of the built-in instrument. */
  readonly instrument: ShippedOutcome;
}

/**
 * Migrates and publishes; safe to run again, and by several processes at once.
 * @param isRolledOut whether no process runs an earlier release
 */
export async function prepareDatabase(
  { say }: Pick<CommandContext, "say">,
  address: DatabaseAddress,
  isRolledOut = false,
): Promise<Prepared> {
  await using opened = await openCommandDatabase(say, address, 4);
  const { db, shards } = opened;
  await using undividedAt = isDivided(address)
    ? await openCommandDatabase(say, databaseAt(address, undivided), 4)
    : null;
  const applied = await migrate(undividedAt?.db ?? db, untilDone(), { isRolledOut, shards: shards.databases() });
  const deadline = commandDeadline();
  const domain = await openDomain(opened, say, deadline.signal);
  const shipped = await domain.catalogue.product.readShipped();
  const instrument = await publishShipped(domain, shipped, deadline);
  await copyToShards(domain, shipped.current.product, deadline.signal);
  if (instrument === "kept") say("An instrument of your own is published, so the built-in one is not.");
  return { applied, instrument };
}
