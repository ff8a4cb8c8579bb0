// A connection of a caller, by the cheapest client of each protocol that a library has.
import { connect } from "node:http2";
import { Client } from "undici";
import type { OperationName, Target } from "./orders.ts";
import { restRequests, rpcRequests, rpcs } from "./requests.ts";

export interface Connection {
  /**
   * Sends a request; one at a time.
   * @param about the person of a new session, else the session's id
   * @returns the body of the response, over gRPC its message. Rejects unless it is a success.
   */
  send(operation: OperationName, about: string): Promise<Buffer>;
  close(): void;
}

export function openConnection(target: Target): Connection {
  return target.transport === "grpc" ? overHttp2(target) : overHttp(target);
}

function overHttp({ port, token, sample }: Target): Connection {
  const client = new Client(`http://127.0.0.1:${port}`);
  const requests = restRequests(sample);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    async send(operation, about) {
      const { statusCode, body } = await client.request({ headers, ...requests[operation](about) });
      const bytes = Buffer.from(await body.arrayBuffer());
      if (statusCode >= 300) throw new Error(`${operation} was answered ${statusCode}: ${bytes}`);
      return bytes;
    },
    close: () => void client.destroy(),
  };
}

const prefixBytes = 5;

function overHttp2({ port, token, sample }: Target): Connection {
  const session = connect(`http://127.0.0.1:${port}`);
  // Whoever calls hears of it.
  session.on("error", () => undefined);
  const requests = rpcRequests(sample);
  const headers = { ":method": "POST", "content-type": "application/grpc", te: "trailers" };
  return {
    send: (operation, about) =>
      new Promise((resolve, reject) => {
        const { parent, name } = rpcs[operation];
        const path = { ":path": `/${parent.typeName}/${name}`, authorization: `Bearer ${token}` };
        const stream = session.request({ ...headers, ...path });
        const chunks: Buffer[] = [];
        let status: unknown;
        stream.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
        stream.on("trailers", (trailers) => {
          status = trailers["grpc-status"];
        });
        stream.on("end", () => {
          if (status === "0") resolve(Buffer.concat(chunks).subarray(prefixBytes));
          else reject(new Error(`${operation} ended with status ${status}`));
        });
        const message = requests[operation](about);
        const prefix = Buffer.alloc(prefixBytes);
        prefix.writeUInt32BE(message.length, 1);
        stream.end(Buffer.concat([prefix, message]));
      }),
    close: () => session.destroy(),
  };
}
