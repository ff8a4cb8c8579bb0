// Reflection, by which tools such as `buf curl` and grpcurl find the services.
import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type * as grpc from "@grpc/grpc-js";
import { ReflectionService } from "@grpc/reflection";

/** Lets clients list the services and get the descriptors of their messages. */
export function addReflection(server: grpc.Server, services: readonly DescService[]): void {
  const files = new Map<string, Buffer>();
  for (const { file } of services) collect(file, files);
  // The library takes a definition of any kind, and reads only the file descriptors.
  const format = "Protocol Buffer 3 EnumDescriptorProto" as const;
  const loaded = { format, type: {}, fileDescriptorProtos: [...files.values()] };
  new ReflectionService({ loaded }, { services: services.map(({ typeName }) => typeName) }).addToServer(server);
}

function collect({ dependencies, proto }: DescFile, files: Map<string, Buffer>): void {
  if (files.has(proto.name)) return;
  for (const dependency of dependencies) collect(dependency, files);
  files.set(proto.name, Buffer.from(toBinary(FileDescriptorProtoSchema, proto)));
}
