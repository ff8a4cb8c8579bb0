// A plain gRPC client: grpc-js and the generated messages, nothing of the service.
import {
  create,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { findTrailerError } from "@connectrpc/connect/protocol-grpc";
import * as grpc from "@grpc/grpc-js";
import { BadRequestSchema } from "../../../src/gen/google/rpc/error_details_pb.ts";

export interface GrpcCallOptions {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export class GrpcClient {
  readonly #client: grpc.Client;

  /** @param isPacking whether messages are sent packed with gzip */
  constructor(
    address: string,
    credentials: grpc.ChannelCredentials = grpc.credentials.createInsecure(),
    isPacking = false,
  ) {
    const { gzip, identity } = grpc.compressionAlgorithms;
    this.#client = new grpc.Client(address, credentials, {
      "grpc.default_compression_algorithm": isPacking ? gzip : identity,
    });
  }

  /** Calls an rpc. Rejects with a ConnectError that holds the status and its details. */
  async unary<M extends DescMethodUnary>(
    method: M,
    message: MessageInitShape<M["input"]>,
    options: GrpcCallOptions = {},
  ): Promise<MessageShape<M["output"]>> {
    const bytes = await this.bytes(method, toBinary(method.input, create(method.input, message)), options);
    return fromBinary(method.output, bytes) as MessageShape<M["output"]>;
  }

  /** Calls an rpc with the bytes as they are. */
  bytes(
    method: DescMethodUnary,
    request: Uint8Array,
    { metadata = {}, timeoutMs = 100_000 }: GrpcCallOptions,
  ): Promise<Buffer> {
    const fields = new grpc.Metadata();
    for (const [name, value] of Object.entries(metadata)) fields.set(name, value);
    const path = `/${method.parent.typeName}/${method.name}`;
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        path,
        (value: Uint8Array) => Buffer.from(value),
        (value: Buffer) => value,
        request,
        fields,
        { deadline: Date.now() + timeoutMs },
        (error, response) => {
          if (error !== null) reject(toConnectError(error));
          else if (response === undefined) reject(new Error("no response"));
          else resolve(response);
        },
      );
    });
  }

  close(): void {
    this.#client.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** Options of a call with a token. */
export function bearer(token: string): { metadata: { authorization: string } } {
  return { metadata: { authorization: `Bearer ${token}` } };
}

/** The error that a call is refused with. Rejects if it is not. */
export function refusal(call: Promise<unknown>): Promise<ConnectError> {
  return call.then(
    () => Promise.reject(new Error("the call succeeded")),
    (error: ConnectError) => error,
  );
}

function toConnectError({ code, details, metadata }: grpc.ServiceError): ConnectError {
  const [status] = metadata.get("grpc-status-details-bin");
  const headers = new Headers({ "grpc-status": String(code), "grpc-message": encodeURIComponent(details) });
  if (status !== undefined) headers.set("grpc-status-details-bin", Buffer.from(status).toString("base64"));
  return findTrailerError(headers) ?? new ConnectError(details, code as number);
}

/** The violations of a refused call, as `field REASON`. */
export async function violationsOf(call: Promise<unknown>): Promise<string[]> {
  const error = await refusal(call);
  if (error.code !== Code.InvalidArgument) throw error;
  const violations = error.findDetails(BadRequestSchema)[0]?.fieldViolations ?? [];
  return violations.map(({ field, reason }) => `${field} ${reason}`);
}
