// Reflection, by which tools such as `buf curl` and grpcurl find the services.
import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type * as grpc from "@grpc/grpc-js";
import { ReflectionService } from "@grpc/reflection";

/** Lets clients of a server ask for services, and for all that their messages are made of. */
export function addReflection(server: grpc.Server, services: readonly DescService[]): void {
  const files = new Map<string, Buffer>();
  for (const { file } of services) collect(file, files);
  // The library takes what proto-loader makes of protos, and reads no more of that than the files.
  const loaded = { all: { fileDescriptorProtos: [...files.values()] } } as never;
  new ReflectionService(loaded, { services: services.map(({ typeName }) => typeName) }).addToServer(server);
}

function collect({ dependencies, proto }: DescFile, files: Map<string, Buffer>): void {
  if (files.has(proto.name)) return;
  for (const dependency of dependencies) collect(dependency, files);
  files.set(proto.name, Buffer.from(toBinary(FileDescriptorProtoSchema, proto)));
}
