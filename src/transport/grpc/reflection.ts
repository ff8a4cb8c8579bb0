// Server reflection from the generated descriptors: no .proto file is read at run time.
import { type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type * as grpc from "@grpc/grpc-js";
import { ReflectionService } from "@grpc/reflection";
import { Health } from "../../gen/health/v1/health_pb.ts";

/** Lets tools such as `buf curl` and grpcurl find the services, health included. */
export function addReflection(server: grpc.Server, services: readonly DescService[]): void {
  const described = [...services, Health];
  const files = new Map<string, Buffer>();
  for (const service of described) collect(service.file, files);
  const reflection = new ReflectionService({ all: { fileDescriptorProtos: [...files.values()] } } as never, {
    services: described.map((service) => service.typeName),
  });
  reflection.addToServer(server);
}

function collect(file: DescFile, files: Map<string, Buffer>): void {
  if (files.has(file.proto.name)) return;
  for (const dependency of file.dependencies) collect(dependency, files);
  files.set(file.proto.name, Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto)));
}
