// The official gRPC client, for looking at answers before anything is timed.
import * as grpc from "@grpc/grpc-js";
import type { OperationName, Target } from "../orders.ts";
import { ofEachOperation, type RpcCall, rpcCalls } from "../requests.ts";
import type { Connection } from "./connection.ts";
import { Prepared } from "./connection.ts";

export class GrpcClient implements Connection {
  readonly #calls: Readonly<Record<OperationName, RpcCall>>;
  readonly #messages: Readonly<Record<OperationName, Prepared>>;
  readonly #metadata = new grpc.Metadata();
  readonly #client: grpc.Client;

  constructor({ port, token, sample }: Target) {
    const calls = rpcCalls(sample);
    this.#calls = calls;
    this.#messages = ofEachOperation((name) => new Prepared(calls[name].message, calls[name].placeholder));
    this.#metadata.set("authorization", `Bearer ${token}`);
    this.#client = new grpc.Client(`127.0.0.1:${port}`, grpc.credentials.createInsecure());
  }

  send(operation: OperationName, text: string): Promise<Buffer> {
    const { path } = this.#calls[operation];
    const message = this.#messages[operation].with(text);
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(path, asItIs, asItIs, message, this.#metadata, (error, answer) => {
        if (error !== null) reject(error);
        else resolve(answer ?? Buffer.alloc(0));
      });
    });
  }

  close(): void {
    this.#client.close();
  }
}

function asItIs(bytes: Buffer): Buffer {
  return bytes;
}
