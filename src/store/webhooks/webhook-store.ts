// Webhook endpoints in MySQL, for the calls of partners.

import type { Connection } from "../../database/connection.ts";
import type { Database } from "../../database/database.ts";
import type { EventKey } from "../../domain/events/event.ts";
import { toEventCode } from "../../domain/events/event-types.ts";
import type { Endpoint, EndpointKey, EndpointSettings, NewEndpoint, Replay } from "../../domain/webhooks/endpoint.ts";
import type { SealedSecret } from "../../domain/webhooks/sealed-secrets.ts";
import { bytesToUuid, uuidToBytes } from "../../kernel/ids.ts";
import { lockPartner } from "../partner-lock.ts";
import { endpointSettings, endpoints, newEndpoints, toAttempt, toParked } from "./rows.ts";
import { webhookStatements as statements } from "./webhook-statements.ts";

/** Parked events that are retried at once; the others at their own time. */
const retriedAtOnce = 1_000;

/** The URL belongs to another endpoint of the partner. */
export interface UrlTaken {
  readonly takenBy: string;
}

/** A partner's change of an endpoint. Results of running deliveries no longer count for it. */
export interface EndpointChange extends EndpointSettings, Pick<Endpoint, "disabledReason"> {
  /** Whether the failures are reset, and everything that waits is retried now. */
  readonly resetsFailures: boolean;
  /** Continue after this sequence, unless it is further already. */
  readonly skipTo: number;
}

/** Endpoints, secrets, attempts and parked events, as partners see them. */
export function createWebhookStore(db: Database) {
  return {
    /** Inserts an endpoint, enabled, with its first secret. Refused if the partner has `most`, or another one of that URL. */
    insertEndpoint(
      endpoint: Omit<NewEndpoint, "revision"> & Pick<Endpoint, "sequence">,
      secret: SealedSecret,
      most: number,
      signal: AbortSignal,
    ): Promise<"limit_reached" | UrlTaken | undefined> {
      const { partnerId } = endpoint;
      return db.runTransaction(signal, async (connection) => {
        const { others, takenBy } = await lockUrls(connection, partnerId, endpoint.url);
        if (takenBy !== undefined) return { takenBy };
        if (others >= most) return "limit_reached";
        const values = newEndpoints.toRow({ ...endpoint, revision: 0 });
        await connection.execute(statements.insertEndpoint, { ...values, sequence: endpoint.sequence });
        await connection.execute(statements.insertSecret, { ...secret, partnerId });
        return undefined;
      });
    },

    /** Changes an endpoint, unless it was deleted, to what `change` returns. Refused if another one has that URL. */
    changeEndpoint(
      { partnerId, id }: EndpointKey,
      change: (endpoint: Endpoint) => EndpointChange,
      signal: AbortSignal,
    ): Promise<UrlTaken | undefined> {
      return db.runTransaction(signal, async (connection) => {
        const [row] = await connection.findAll(statements.lock, { partnerId, id });
        if (row === undefined) return undefined;
        const endpoint = change(endpoints.fromRow(row));
        const { takenBy = id } = await lockUrls(connection, partnerId, endpoint.url);
        if (takenBy !== id) return { takenBy };
        const settings = endpointSettings.toRow(endpoint);
        await connection.execute(statements.save, { ...settings, partnerId, id });
        if (endpoint.resetsFailures) await resume(connection, { partnerId, id });
        return undefined;
      });
    },

    findEndpoint: (partnerId: string, id: string, signal: AbortSignal) =>
      db.findOne(statements.find, { partnerId, id }, signal),

    /** All endpoints of a partner, or of all partners, the oldest first; at most `limit` after the id. */
    listEndpoints: (partnerId: string | undefined, after: string, limit: number, signal: AbortSignal) =>
      partnerId === undefined
        ? db.findAll(statements.listAll, { after, limit }, signal)
        : db.findAll(statements.listByPartner, { after, limit, partnerId }, signal),

    /** Removes an endpoint. Its deliveries are no longer visible, and are removed as expired. False: there is none. */
    deleteEndpoint(partnerId: string, id: string, signal: AbortSignal): Promise<boolean> {
      const values = { partnerId, id };
      return db.runTransaction(signal, async (connection) => {
        const rows = await connection.findAll(statements.lock, values);
        if (rows.length === 0) return false;
        await connection.execute(statements.deleteSecrets, values);
        await connection.execute(statements.delete, values);
        return true;
      });
    },

    /**
     * The current secret expires after `overlapSeconds`, and the one before it now.
     * @returns when it expires, by the database's clock; undefined if the partner has no such endpoint
     */
    addSecret(
      partnerId: string,
      secret: SealedSecret,
      overlapSeconds: number,
      signal: AbortSignal,
    ): Promise<Date | undefined> {
      const { endpointId } = secret;
      return db.runTransaction(signal, async (connection) => {
        const [row] = await connection.findAll(statements.lock, { partnerId, id: endpointId });
        if (row === undefined) return undefined;
        const at = new Date(row.now.getTime() + 1000 * overlapSeconds);
        await connection.execute(statements.deletePreviousSecrets, { partnerId, endpointId });
        await connection.execute(statements.endSecret, { partnerId, endpointId, at });
        await connection.execute(statements.insertSecret, { ...secret, partnerId });
        await connection.execute(statements.revise, { partnerId, id: endpointId });
        return at;
      });
    },

    /** The unexpired secrets of an endpoint, the latest first. */
    listSecrets: ({ partnerId, id }: EndpointKey, signal: AbortSignal) =>
      db.findAll(statements.listSecrets, { partnerId, endpointId: id }, signal),

    /** Seals a secret of the partner again with the current key. */
    resealSecret: (partnerId: string, secret: Pick<SealedSecret, "id" | "keyId" | "sealed">, signal: AbortSignal) =>
      db.write(statements.reseal, { ...secret, partnerId }, signal),

    /** Attempts before an id, the latest first. */
    async listAttempts({ id, partnerId }: EndpointKey, before: number, limit: number, signal: AbortSignal) {
      const values = { partnerId, endpointId: id, before, limit };
      return (await db.findAll(statements.listAttempts, values, signal)).map(toAttempt);
    },

    /** Parked events after a sequence, ascending. */
    async listParked({ id, partnerId }: EndpointKey, after: number, limit: number, signal: AbortSignal) {
      const values = { partnerId, endpointId: id, after, limit };
      return (await db.findAll(statements.listParked, values, signal)).map(toParked);
    },

    /** Counts events that the endpoint has not reached, and parked ones that are not dead: at most `most`. */
    async countBacklog(endpoint: EndpointKey & Pick<Endpoint, "sequence">, most: number, signal: AbortSignal) {
      const values = { ...endpoint, most };
      const later = await db.findOne(statements.countAfter, values, signal);
      const count = await db.findOne(statements.countParked, values, signal);
      return Math.min(most, Number(later?.waiting) + Number(count?.waiting));
    },

    /** Resets the failures of an enabled endpoint, and makes everything that waits due now. */
    resumeEndpoint(endpoint: EndpointKey, signal: AbortSignal): Promise<void> {
      return db.runTransaction(signal, (connection) => resume(connection, endpoint));
    },

    /** Redelivers events of the log now, even if the endpoint is paused. @returns how many are kept */
    redeliver(endpoint: EndpointKey, events: readonly EventKey[], signal: AbortSignal): Promise<number> {
      const eventKeys = events.map(({ resourceId, type, occurrence }) => [
        uuidToBytes(resourceId),
        toEventCode(type),
        occurrence,
      ]);
      const { partnerId } = endpoint;
      const key = [endpoint.partnerId, endpoint.id].map(uuidToBytes);
      return db.runTransaction(signal, async (connection) => {
        const logRows = await connection.findAll(statements.findEvents, { eventKeys, partnerId });
        const [row] = await connection.findAll(statements.lock, endpoint);
        if (logRows.length === 0 || row === undefined) return 0;
        const rows = logRows.map((each) => [...key, each.sequence, each.resource_id, each.type, 0, row.now]);
        await connection.execute(statements.insertParked, { rows });
        await resume(connection, endpoint);
        return logRows.length;
      });
    },

    /** Begins a replay now, even if the endpoint is paused. False: there is one already, or no such enabled endpoint. */
    beginReplay(endpoint: EndpointKey, { after, until }: Replay, signal: AbortSignal): Promise<boolean> {
      const { partnerId, id } = endpoint;
      return db.runTransaction(signal, async (connection) => {
        const values = { partnerId, id, after, until };
        const isBegun = (await connection.write(statements.beginReplay, values)) === 1;
        if (isBegun) await resume(connection, endpoint);
        return isBegun;
      });
    },

    /** Ends the replay, if there is one. */
    cancelReplay: (endpoint: EndpointKey, signal: AbortSignal) => db.write(statements.cancelReplay, endpoint, signal),
  };
}

/** One change of a partner's URLs at a time. @returns the number of its endpoints, and which of them has the URL */
async function lockUrls(connection: Connection, partnerId: string, url: string) {
  await lockPartner(connection, partnerId);
  const rows = await connection.findAll(statements.listUrls, { partnerId });
  const sameUrl = rows.find((row) => row.url.toString() === url);
  return { others: rows.length, takenBy: sameUrl && bytesToUuid(sameUrl.id) };
}

/** Ends the pause of an enabled endpoint, and makes its parked events due now. */
async function resume(connection: Connection, endpoint: EndpointKey): Promise<void> {
  await connection.execute(statements.resume, endpoint);
  const rows = await connection.findAll(statements.listParkedAhead, { ...endpoint, limit: retriedAtOnce });
  const sequences = rows.map(({ sequence }) => sequence);
  await connection.execute(statements.retryParked, { ...endpoint, sequences });
}
