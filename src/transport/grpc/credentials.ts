// Transport security of the gRPC port.
import { readFile } from "node:fs/promises";
import * as grpc from "@grpc/grpc-js";

/** PEM files. Without certificate and key the port is cleartext. */
export interface TlsFiles {
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** With it every client must show a certificate of this authority. */
  readonly clientAuthority: string | undefined;
}

/** Reads the files. Throws where one is missing, in words for people. */
export async function grpcCredentials({
  certificate,
  key,
  clientAuthority,
}: TlsFiles): Promise<grpc.ServerCredentials> {
  if (certificate === undefined && key === undefined && clientAuthority === undefined) {
    return grpc.ServerCredentials.createInsecure();
  }
  if (certificate === undefined || key === undefined) {
    throw new Error("TLS on the gRPC port needs both GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE");
  }
  const pair = { cert_chain: await readFile(certificate), private_key: await readFile(key) };
  const authority = clientAuthority === undefined ? null : await readFile(clientAuthority);
  return grpc.ServerCredentials.createSsl(authority, [pair], authority !== null);
}
