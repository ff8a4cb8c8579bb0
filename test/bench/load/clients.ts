// Callers of a transport: whole assessments one after the other, or one operation again and again.
import { checkAnswer, sessionIdOf } from "./answers.ts";
import type { Connection } from "./connections/connection.ts";
import { GrpcClient } from "./connections/grpc-client.ts";
import { GrpcConnection } from "./connections/grpc-connection.ts";
import { HttpConnection } from "./connections/http-connection.ts";
import type { Client } from "./drive.ts";
import { externalIds } from "./external-ids.ts";
import { type OperationName, type OperationOrder, type Target, type WholeOrder, wholeAssessment } from "./orders.ts";
import { restRequests } from "./requests.ts";

/** Operations that a subject can be used for once only. */
const consuming: ReadonlySet<OperationName> = new Set(["complete", "erase"]);
/** The session's id stands within so many bytes. */
const idBytes = 64;

/** Opens the clients of an order, after one request of each kind was seen to be answered as it should be. */
export async function openClients(order: WholeOrder | OperationOrder): Promise<Client[]> {
  const { target, clients } = order;
  const newExternalId = externalIds();
  if (order.kind === "whole") {
    await checkWhole(target, newExternalId());
    return openEach(clients, target, (connection) => async () => {
      const id = sessionIdOf(target.transport, await connection.send("create", newExternalId()));
      for (const operation of wholeAssessment.slice(1)) await connection.send(operation, id);
      return true;
    });
  }
  const next = order.operation === "create" ? newExternalId : subjectsOf(order);
  return openEach(clients, target, (connection) => async () => {
    const subject = next();
    if (subject === undefined) return false;
    await connection.send(order.operation, subject);
    return true;
  });
}

function openEach(count: number, target: Target, workOn: (connection: Connection) => Client["run"]): Promise<Client[]> {
  const clients = Array.from({ length: count }, async () => {
    const connection = await open(target);
    return { run: workOn(connection), close: () => connection.close() };
  });
  return Promise.all(clients);
}

function open(target: Target): Promise<Connection> {
  return target.transport === "grpc" ? new GrpcConnection(target).opened() : openHttp(target, idBytes);
}

/** A connection that gives whole answers. */
async function openForChecks(target: Target): Promise<Connection> {
  return target.transport === "grpc" ? new GrpcClient(target) : openHttp(target, Number.POSITIVE_INFINITY);
}

function openHttp(target: Target, keptBytes: number): Promise<HttpConnection> {
  return new HttpConnection(target.port, restRequests(target), keptBytes).opened();
}

async function checkWhole(target: Target, externalId: string): Promise<void> {
  const connection = await openForChecks(target);
  let subject = externalId;
  for (const operation of wholeAssessment) {
    const body = await connection.send(operation, subject);
    checkAnswer(operation, target.transport, body, target.sample);
    if (operation === "create") subject = sessionIdOf(target.transport, body);
  }
  connection.close();
}

function subjectsOf({ operation, subjects }: OperationOrder): () => string | undefined {
  if (operation === "schema" || operation === "list") return () => "";
  const shuffled = shuffle(subjects);
  let index = 0;
  return () => {
    if (consuming.has(operation)) return shuffled[index++];
    return shuffled[index++ % shuffled.length];
  };
}

/** The same in any order, so that the order of rows on disk helps nobody. */
function shuffle(subjects: readonly string[]): string[] {
  return subjects
    .map((subject) => ({ subject, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ subject }) => subject);
}
