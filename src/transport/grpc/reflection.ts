// Reflection, by which tools such as `buf curl` and grpcurl find the services. It is imported for its first call: the
// library reads every descriptor twice, which took a start longer than all else that a gRPC server needs.
import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import * as grpc from "@grpc/grpc-js";
import { ReflectionService } from "@grpc/reflection";

/** A call whose messages are bytes, since it is there before what could read them. */
export type BytesCall = grpc.ServerDuplexStream<Buffer, Buffer>;
type ServeReflection = (path: string, call: BytesCall) => void;

interface Rpc {
  readonly definition: grpc.MethodDefinition<unknown, unknown>;
  readonly serve: (call: object) => void;
}

/** Makes what serves calls of reflection, each by its path, on services. */
export function openReflection(services: readonly DescService[]): ServeReflection {
  const files = new Map<string, Buffer>();
  for (const service of services) collect(service.file, files);
  const reflection = new ReflectionService({ all: { fileDescriptorProtos: [...files.values()] } } as never, {
    services: services.map((service) => service.typeName),
  });
  const rpcs = new Map<string, Rpc>();
  reflection.addToServer({
    addService(definitions, implementation) {
      for (const [name, definition] of Object.entries(definitions)) {
        rpcs.set(definition.path, { definition, serve: implementation[name] as Rpc["serve"] });
      }
    },
  });
  return (path, call) => {
    const rpc = rpcs.get(path);
    if (rpc === undefined) throw new Error("the library does not serve this path");
    rpc.serve(messagesOf(call, rpc.definition));
  };
}

/** A call as the library uses it, with messages in the place of bytes. */
function messagesOf(call: BytesCall, { requestDeserialize, responseSerialize }: Rpc["definition"]) {
  return {
    on(event: string, listen: (message?: unknown) => void) {
      if (event !== "data") return call.on(event, listen);
      return call.on("data", (bytes: Buffer) => {
        let message: unknown;
        try {
          message = requestDeserialize(bytes);
        } catch {
          call.emit("error", { code: grpc.status.INTERNAL, details: "Error deserializing request" });
          return;
        }
        listen(message);
      });
    },
    write: (message: unknown) => call.write(responseSerialize(message)),
    end: () => call.end(),
  };
}

function collect(file: DescFile, files: Map<string, Buffer>): void {
  if (files.has(file.proto.name)) return;
  for (const dependency of file.dependencies) collect(dependency, files);
  files.set(file.proto.name, Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto)));
}
