// Webhook endpoints in MySQL, for the calls of partners.
import type { Knex } from "knex";
import type { Connection, ResultSetHeader } from "mysql2";
import { inTransaction, onConnection } from "../../database/connection.ts";
import { isDuplicateKey } from "../../database/database-errors.ts";
import {
  bytesToUuid,
  execute,
  executeText,
  fetchRows,
  fromRow,
  readRows,
  readRowsOf,
  uuidToBytes,
  write,
} from "../../database/statement.ts";
import type { EventName } from "../../domain/events/event.ts";
import type { Endpoint, EndpointName, Replay } from "../../domain/webhooks/endpoint.ts";
import type { SealedSecret } from "../../domain/webhooks/sealed-secrets.ts";
import { codeOf } from "../../kernel/event-types.ts";
import { insertCount } from "../groups/group-statements.ts";
import { wantedAgain } from "./endpoint-visit.ts";
import { toAttempt, toEndpoint, toParked, typesToBytes, urlHash } from "./rows.ts";
import { webhookStatements as statements } from "./webhook-statements.ts";

/** Parked events that are retried at once; the others at their own time. */
const retriedAtOnce = 1_000;

const retryParked = `UPDATE webhook_deliveries FORCE INDEX (PRIMARY) SET next_at = NOW(3)
  WHERE partner_id = ? AND endpoint_id = ? AND sequence IN (?)`;
const findEvents = `SELECT sequence, resource_id, type FROM events FORCE INDEX (events_once)
  WHERE (resource_id, type, occurrence) IN (?) AND partner_id = ?`;
const insertParked = `INSERT INTO webhook_deliveries
  (partner_id, endpoint_id, sequence, resource_id, type, attempts, next_at) VALUES ?
  ON DUPLICATE KEY UPDATE next_at = IF(claim_id IS NULL, VALUES(next_at), next_at), dead_at = NULL, attempts = 0,
    claim_id = IF(claim_id IS NULL, NULL, UNHEX('${wantedAgain.toString("hex")}'))`;

/** The URL belongs to another endpoint of the partner. */
export interface UrlTaken {
  readonly takenBy: string;
}

/** A partner's change of an endpoint. Results of running deliveries no longer count for it. */
export interface EndpointChange
  extends Pick<Endpoint, "url" | "description" | "types" | "includeExternalId" | "disabledReason"> {
  /** Whether the failures are reset, and everything that waits is retried now. */
  readonly isFresh: boolean;
  /** Continue after this sequence, unless it is further already; undefined: from its position. */
  readonly skipTo: number | undefined;
}

/** Endpoints, secrets, attempts and parked events, as partners see them. */
export function createWebhookStore(db: Knex) {
  return {
    /** Inserts an endpoint, enabled, with its first secret, unless the partner has `most` endpoints. */
    insertEndpoint(
      endpoint: Endpoint,
      secret: SealedSecret,
      most: number,
      signal: AbortSignal,
    ): Promise<"inserted" | "limit_reached" | UrlTaken> {
      const { partnerId, description } = endpoint;
      return inTransaction(db, signal, async (connection) => {
        // One insert of a partner at a time, so that the limit holds. The row is on the shard of the partner's endpoints.
        await executeText(connection, insertCount, [uuidToBytes(partnerId)]);
        const others = await readRows(connection, statements.listUrls, { partnerId });
        const taken = others.find(({ url_hash }) => url_hash.equals(urlHash(endpoint.url)));
        if (taken !== undefined)
          return bytesToUuid(taken.id) === endpoint.id ? "inserted" : { takenBy: bytesToUuid(taken.id) };
        if (others.length >= most) return "limit_reached";
        await execute(connection, statements.insertEndpoint, {
          ...endpoint,
          urlHash: urlHash(endpoint.url),
          description: description === "" ? null : description,
          types: typesToBytes(endpoint.types),
        });
        await execute(connection, statements.insertSecret, { ...secret, partnerId });
        return "inserted";
      });
    },

    async findEndpoint(partnerId: string, id: string, signal: AbortSignal): Promise<Endpoint | undefined> {
      const [row] = await fetchRows(db, statements.find, { partnerId, id }, signal);
      return row && toEndpoint(row);
    },

    /** All endpoints of a partner, or of all partners, the oldest first; at most `limit` after the id. */
    async listEndpoints(
      partnerId: string | undefined,
      after: string,
      limit: number,
      signal: AbortSignal,
    ): Promise<readonly Endpoint[]> {
      const page = { after, limit };
      const rows =
        partnerId === undefined
          ? await fetchRows(db, statements.listAll, page, signal)
          : await fetchRows(db, statements.listOfPartner, { ...page, partnerId }, signal);
      return rows.map(toEndpoint);
    },

    /** Changes an endpoint if its revision is unchanged. `lost`: it is not. */
    async saveEndpoint(
      endpoint: EndpointName,
      revision: number,
      change: EndpointChange,
      signal: AbortSignal,
    ): Promise<"saved" | "lost" | UrlTaken> {
      const { partnerId, id } = endpoint;
      const { url, description, isFresh } = change;
      const values = {
        ...change,
        partnerId,
        id,
        revision,
        urlHash: urlHash(url),
        description: description === "" ? null : description,
        types: typesToBytes(change.types),
        skipTo: change.skipTo ?? 0,
      };
      try {
        // First, so that the endpoint finds it due; harmless if the change is lost.
        if (isFresh) await inTransaction(db, signal, (connection) => retryNow(connection, endpoint));
        // If the write is repeated, it finds another revision: the endpoint is read again, and needs no change then.
        return (await write(db, statements.save, values, signal)) === 1 ? "saved" : "lost";
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const others = await fetchRows(db, statements.listUrls, { partnerId: values.partnerId }, signal);
        const taken = others.find(({ url_hash }) => url_hash.equals(values.urlHash));
        return taken === undefined ? "lost" : { takenBy: bytesToUuid(taken.id) };
      }
    },

    /** Removes an endpoint. Its deliveries are not visible any more, and are removed as expired. False: there is none. */
    deleteEndpoint(partnerId: string, id: string, signal: AbortSignal): Promise<boolean> {
      const values = { partnerId, id };
      return inTransaction(db, signal, async (connection) => {
        const rows = await readRows(connection, statements.lock, values);
        if (rows.length === 0) return false;
        await execute(connection, statements.deleteSecrets, values);
        await execute(connection, statements.delete, values);
        return true;
      });
    },

    /**
     * Previous secrets expire after `overlapSeconds`, or at their own earlier time; only the latest of them is kept.
     * @returns when they expire, by the database's clock; undefined if the partner has no such endpoint
     */
    addSecret(partnerId: string, secret: SealedSecret, overlapSeconds: number, signal: AbortSignal) {
      const endpoint = { partnerId, id: secret.endpointId };
      const values = { ...secret, partnerId };
      return inTransaction(db, signal, async (connection) => {
        await execute(connection, statements.lock, endpoint);
        const [end] = await readRows(connection, statements.momentAfter, { ...endpoint, seconds: overlapSeconds });
        if (end === undefined) return undefined;
        const at: Date = end.at;
        const live = await readRows(connection, statements.listSecrets, values);
        for (const [index, { id }] of live.entries()) {
          if (index === 0) await execute(connection, statements.endSecret, { partnerId, id, at });
          else await execute(connection, statements.deleteSecret, { partnerId, id });
        }
        await execute(connection, statements.insertSecret, values);
        await execute(connection, statements.revise, endpoint);
        return at;
      });
    },

    /** The unexpired secrets of an endpoint, the latest first. */
    async listSecrets({ partnerId, id }: EndpointName, signal: AbortSignal): Promise<readonly SealedSecret[]> {
      return (await fetchRows(db, statements.listSecrets, { partnerId, endpointId: id }, signal)).map(
        fromRow<SealedSecret>,
      );
    },

    /** Seals a secret of the partner again with the current key. */
    async resealSecret(
      partnerId: string,
      secret: Pick<SealedSecret, "id" | "keyId" | "sealed">,
      signal: AbortSignal,
    ): Promise<void> {
      await write(db, statements.reseal, { ...secret, partnerId }, signal);
    },

    /** Attempts before an id, the latest first. */
    async listAttempts({ id, partnerId }: EndpointName, before: number, limit: number, signal: AbortSignal) {
      const values = { partnerId, endpointId: id, before, limit };
      return (await fetchRows(db, statements.listAttempts, values, signal)).map(toAttempt);
    },

    /** Parked events after a sequence, ascending. */
    async listParked({ id, partnerId }: EndpointName, after: number, limit: number, signal: AbortSignal) {
      const values = { partnerId, endpointId: id, after, limit };
      return (await fetchRows(db, statements.listParked, values, signal)).map(toParked);
    },

    /** Counts events that the endpoint has not reached, and parked ones that are not dead: at most `most`. */
    async countBacklog(endpoint: EndpointName & Pick<Endpoint, "claimedSequence">, most: number, signal: AbortSignal) {
      const values = { ...endpoint, sequence: endpoint.claimedSequence, most };
      const [later] = await fetchRows(db, statements.countAfter, values, signal);
      const [parked] = await fetchRows(db, statements.countParked, values, signal);
      return Math.min(most, Number(later?.waiting) + Number(parked?.waiting));
    },

    /** Resets the failures of an enabled endpoint, if there are any, and makes everything that waits due now. */
    resumeEndpoint(endpoint: EndpointName, signal: AbortSignal): Promise<void> {
      return inTransaction(db, signal, async (connection) => {
        const { affectedRows } = (await execute(connection, statements.resume, endpoint)) as ResultSetHeader;
        if (affectedRows === 1) await retryNow(connection, endpoint);
      });
    },

    /** Redelivers events of the log now, even if the endpoint is paused. @returns how many are kept */
    redeliver(endpoint: EndpointName, events: readonly EventName[], signal: AbortSignal): Promise<number> {
      const name = nameToRow(endpoint);
      const wanted = events.map((event) => [uuidToBytes(event.resourceId), codeOf(event.type), event.occurrence]);
      return inTransaction(db, signal, async (connection) => {
        const rows = await readRowsOf(connection, findEvents, [wanted, name.partnerId]);
        if (rows.length === 0) return 0;
        await execute(connection, statements.lock, endpoint);
        const [now] = await readRows(connection, statements.momentAfter, { ...endpoint, seconds: 0 });
        if (now === undefined) return 0;
        const { partnerId, id } = name;
        const parked = rows.map((row) => [partnerId, id, row.sequence, row.resource_id, row.type, 0, now.at]);
        await executeText(connection, insertParked, [parked]);
        await execute(connection, statements.wake, endpoint);
        return rows.length;
      });
    },

    /** Begins a replay now, even if the endpoint is paused. False: there is one already. */
    beginReplay(endpoint: EndpointName, { after, until }: Replay, signal: AbortSignal): Promise<boolean> {
      // Not retried: a second attempt would take its own replay for another one.
      const { partnerId, id } = endpoint;
      const values = { partnerId, id, after, until };
      return onConnection(db, signal, async (connection) => {
        const { affectedRows } = (await execute(connection, statements.beginReplay, values)) as ResultSetHeader;
        return affectedRows === 1;
      });
    },

    /** Ends the replay, if there is one. */
    async cancelReplay(endpoint: EndpointName, signal: AbortSignal): Promise<void> {
      await write(db, statements.cancelReplay, endpoint, signal);
    },
  };

  /** Makes parked events of an endpoint due now. */
  async function retryNow(connection: Connection, endpoint: EndpointName): Promise<void> {
    const rows = await readRows(connection, statements.listParkedAhead, { ...endpoint, limit: retriedAtOnce });
    const sequences = rows.map(({ sequence }) => sequence);
    const { partnerId, id } = nameToRow(endpoint);
    if (sequences.length > 0) await executeText(connection, retryParked, [partnerId, id, sequences]);
  }
}

function nameToRow({ partnerId, id }: EndpointName) {
  return { partnerId: uuidToBytes(partnerId), id: uuidToBytes(id) };
}
