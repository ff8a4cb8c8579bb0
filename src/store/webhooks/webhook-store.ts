// Webhook endpoints in MySQL, as partners make and change them.
import type { Knex } from "knex";
import type { Connection, ResultSetHeader } from "mysql2";
import { inTransaction, onConnection } from "../../database/connection.ts";
import { isDuplicateKey } from "../../database/database-errors.ts";
import { bytesToUuid, uuidToBytes } from "../../database/rows.ts";
import { execute, executeText, fetchRows, readRows, readRowsOf, write } from "../../database/statement.ts";
import type { SealedSecret } from "../../domain/webhooks/sealed-secrets.ts";
import type { EndpointName, WebhookStore } from "../../domain/webhooks/webhook-port.ts";
import { codeOf } from "../../kernel/event-types.ts";
import { insertCount } from "../groups/group-statements.ts";
import { wantedAgain } from "./endpoint-visit.ts";
import { toAttempt, toEndpoint, toParked, toSecret, typesToBytes, urlHash } from "./rows.ts";
import { webhookStatements as statements } from "./webhook-statements.ts";

/** Parked rows that go in one statement with their endpoint. */
const deleteBatch = 1_000;

/** Parked events that are tried at once together; the others are at their own time. */
const retriedAtOnce = 1_000;

const retryParked = `UPDATE webhook_deliveries FORCE INDEX (PRIMARY) SET next_at = NOW(3)
  WHERE partner_id = ? AND endpoint_id = ? AND sequence IN (?)`;
const listParkedKeys = `SELECT sequence FROM webhook_deliveries FORCE INDEX (PRIMARY)
  WHERE partner_id = ? AND endpoint_id = ? LIMIT ?`;
const deleteParked = `DELETE webhook_deliveries FROM webhook_deliveries FORCE INDEX (PRIMARY)
  WHERE partner_id = ? AND endpoint_id = ? AND sequence IN (?)`;
const findEvents = `SELECT sequence, resource_id, type FROM events FORCE INDEX (events_once)
  WHERE (resource_id, type, occurrence) IN (?) AND partner_id = ?`;
const insertParked = `INSERT INTO webhook_deliveries
  (partner_id, endpoint_id, sequence, resource_id, type, attempts, next_at) VALUES ?
  ON DUPLICATE KEY UPDATE next_at = IF(claim_id IS NULL, VALUES(next_at), next_at), dead_at = NULL, attempts = 0,
    claim_id = IF(claim_id IS NULL, NULL, UNHEX('${wantedAgain.toString("hex")}'))`;

/** The webhook part of the Store port, as the interface uses it. */
export function createWebhookStore(db: Knex): WebhookStore {
  return {
    insertEndpoint(endpoint, secret, most, signal) {
      const id = uuidToBytes(endpoint.id);
      const partnerId = uuidToBytes(endpoint.partnerId);
      const { description, includeExternalId, createdAt, sequence } = endpoint;
      return inTransaction(db, signal, async (connection) => {
        // One at a time of a partner, so that none is too many. The row lies with the partner's endpoints.
        await executeText(connection, insertCount, [partnerId]);
        const others = await readRows(connection, statements.listUrls, { partnerId });
        const taken = others.find(({ url_hash }) => url_hash.equals(urlHash(endpoint.url)));
        if (taken !== undefined) return taken.id.equals(id) ? "inserted" : { takenBy: bytesToUuid(taken.id) };
        if (others.length >= most) return "limit_reached";
        await execute(connection, statements.insertEndpoint, {
          id,
          partnerId,
          url: Buffer.from(endpoint.url),
          urlHash: urlHash(endpoint.url),
          description: description === "" ? null : description,
          types: typesToBytes(endpoint.types),
          includeExternalId: Number(includeExternalId),
          createdAt,
          sequence,
        });
        await execute(connection, statements.insertSecret, { ...secretValues(secret), partnerId });
        return "inserted";
      });
    },

    async findEndpoint(partnerId, id, signal) {
      const values = nameToRow({ partnerId, id });
      const [row] = await fetchRows(db, statements.find, values, signal);
      return row && toEndpoint(row);
    },

    async listEndpoints(partnerId, after, limit, signal) {
      const page = { after: uuidToBytes(after), limit };
      const rows =
        partnerId === undefined
          ? await fetchRows(db, statements.listAll, page, signal)
          : await fetchRows(db, statements.listOfPartner, { ...page, partnerId: uuidToBytes(partnerId) }, signal);
      return rows.map(toEndpoint);
    },

    async saveEndpoint(endpoint, revision, change, signal) {
      const { url, description, disabledReason, skipTo, isFresh, includeExternalId } = change;
      const values = {
        ...nameToRow(endpoint),
        revision,
        url: Buffer.from(url),
        urlHash: urlHash(url),
        description: description === "" ? null : description,
        types: typesToBytes(change.types),
        includeExternalId: Number(includeExternalId),
        status: disabledReason === null ? "enabled" : "disabled",
        disabledReason,
        isFresh: Number(isFresh),
        skipTo: skipTo ?? 0,
        isEnabled: Number(disabledReason === null),
      };
      try {
        // First, so that the endpoint finds it due; it does no harm if the change then loses.
        if (isFresh) await inTransaction(db, signal, (connection) => retryNow(connection, values));
        // Done twice, the second one finds another revision: that is looked at again, and nothing is to be changed then.
        return (await write(db, statements.save, values, signal)) === 1 ? "saved" : "lost";
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const others = await fetchRows(db, statements.listUrls, { partnerId: values.partnerId }, signal);
        const taken = others.find(({ url_hash }) => url_hash.equals(values.urlHash));
        return taken === undefined ? "lost" : { takenBy: bytesToUuid(taken.id) };
      }
    },

    async deleteEndpoint(partnerId, id, signal) {
      const values = nameToRow({ partnerId, id });
      const isDeleted = await inTransaction(db, signal, async (connection) => {
        const rows = await readRows(connection, statements.lock, values);
        if (rows.length === 0) return false;
        await execute(connection, statements.deleteSecrets, values);
        await execute(connection, statements.delete, values);
        return true;
      });
      if (!isDeleted) return false;
      // What is left of parked events and attempts, nobody can see; it is removed with what has expired.
      for (let found = deleteBatch; found === deleteBatch; ) {
        found = await onConnection(db, signal, async (connection) => {
          const rows = await readRowsOf(connection, listParkedKeys, [values.partnerId, values.id, deleteBatch]);
          const sequences = rows.map(({ sequence }) => sequence);
          const parked = [values.partnerId, values.id, sequences];
          if (sequences.length > 0) await executeText(connection, deleteParked, parked);
          return sequences.length;
        });
      }
      return true;
    },

    addSecret(partnerId, secret, overlapSeconds, signal) {
      const endpoint = nameToRow({ partnerId, id: secret.endpointId });
      const values = { ...secretValues(secret), partnerId: endpoint.partnerId };
      return inTransaction(db, signal, async (connection) => {
        await execute(connection, statements.lock, endpoint);
        const [end] = await readRows(connection, statements.momentAfter, { ...endpoint, seconds: overlapSeconds });
        if (end === undefined) return undefined;
        const at: Date = end.at;
        const live = await readRows(connection, statements.listSecrets, values);
        for (const [index, { id }] of live.entries()) {
          const { partnerId } = endpoint;
          if (index === 0) await execute(connection, statements.endSecret, { partnerId, id, at });
          else await execute(connection, statements.deleteSecret, { partnerId, id });
        }
        await execute(connection, statements.insertSecret, values);
        await execute(connection, statements.revise, endpoint);
        return at;
      });
    },

    async listSecrets({ partnerId, id }, signal) {
      const values = { partnerId: uuidToBytes(partnerId), endpointId: uuidToBytes(id) };
      const rows = await fetchRows(db, statements.listSecrets, values, signal);
      return rows.map(toSecret);
    },

    async resealSecret(partnerId, { id, keyId, sealed }, signal) {
      const values = { ...nameToRow({ partnerId, id }), keyId: Buffer.from(keyId), sealed: Buffer.from(sealed) };
      await write(db, statements.reseal, values, signal);
    },

    async listAttempts({ id, partnerId }, before, limit, signal) {
      const values = { partnerId: uuidToBytes(partnerId), endpointId: uuidToBytes(id), before, limit };
      return (await fetchRows(db, statements.listAttempts, values, signal)).map(toAttempt);
    },

    async listParked({ id, partnerId }, after, limit, signal) {
      const values = { endpointId: uuidToBytes(id), partnerId: uuidToBytes(partnerId), after, limit };
      return (await fetchRows(db, statements.listParked, values, signal)).map(toParked);
    },

    async countBacklog(endpoint, most, signal) {
      const values = { ...nameToRow(endpoint), sequence: endpoint.claimedSequence, most };
      const [later] = await fetchRows(db, statements.countAfter, values, signal);
      const [parked] = await fetchRows(db, statements.countParked, values, signal);
      return Math.min(most, Number(later?.waiting) + Number(parked?.waiting));
    },

    resumeEndpoint(endpoint, signal) {
      const name = nameToRow(endpoint);
      return inTransaction(db, signal, async (connection) => {
        const { affectedRows } = (await execute(connection, statements.resume, name)) as ResultSetHeader;
        if (affectedRows === 1) await retryNow(connection, name);
      });
    },

    redeliver(endpoint, events, signal) {
      const name = nameToRow(endpoint);
      const wanted = events.map(({ resourceId, type, occurrence }) => [
        uuidToBytes(resourceId),
        codeOf(type),
        occurrence,
      ]);
      return inTransaction(db, signal, async (connection) => {
        const values = [wanted, name.partnerId];
        const rows = await readRowsOf(connection, findEvents, values);
        if (rows.length === 0) return 0;
        await execute(connection, statements.lock, name);
        const [now] = await readRows(connection, statements.momentAfter, { ...name, seconds: 0 });
        if (now === undefined) return 0;
        const { partnerId, id } = name;
        const parked = rows.map((row) => [partnerId, id, row.sequence, row.resource_id, row.type, 0, now.at]);
        await executeText(connection, insertParked, [parked]);
        await execute(connection, statements.wake, name);
        return rows.length;
      });
    },

    // Once: whoever did it twice would take its own replay for another one.
    beginReplay(endpoint, { after, until }, signal) {
      const values = { ...nameToRow(endpoint), after, until };
      return onConnection(db, signal, async (connection) => {
        const { affectedRows } = (await execute(connection, statements.beginReplay, values)) as ResultSetHeader;
        return affectedRows === 1;
      });
    },

    async cancelReplay(endpoint, signal) {
      await write(db, statements.cancelReplay, nameToRow(endpoint), signal);
    },
  };

  /** Has parked events of an endpoint tried now that would be tried later. */
  async function retryNow(connection: Connection, { partnerId, id }: ReturnType<typeof nameToRow>): Promise<void> {
    const values = { partnerId, id, limit: retriedAtOnce };
    const rows = await readRows(connection, statements.listParkedAhead, values);
    const sequences = rows.map(({ sequence }) => sequence);
    if (sequences.length > 0) await executeText(connection, retryParked, [partnerId, id, sequences]);
  }
}

function nameToRow({ partnerId, id }: EndpointName) {
  return { partnerId: uuidToBytes(partnerId), id: uuidToBytes(id) };
}

function secretValues({ id, endpointId, keyId, sealed, createdAt }: SealedSecret) {
  return {
    id: uuidToBytes(id),
    endpointId: uuidToBytes(endpointId),
    keyId: Buffer.from(keyId),
    sealed: Buffer.from(sealed),
    createdAt,
  };
}
