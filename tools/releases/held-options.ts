// What the options of released protos promise, which `buf breaking` does not look at: whose token may make a call, and
// how each reason for an error appears at each transport.
import {
  createFileRegistry,
  type DescEnum,
  type FileRegistry,
  fromBinary,
  getOption,
  hasOption,
  type Registry,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { deprecation, error_rule, required_scope } from "../../src/gen/assessment/v1/options_pb.ts";

/** The protos of a file that `buf build` wrote. */
export function readProtos(bytes: Uint8Array): FileRegistry {
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
}

/** Promises of released options that the current ones break, each in a line; additions break none. */
export function brokenOptions(released: Registry, current: Registry): string[] {
  const held = promisesOf(released);
  const kept = promisesOf(current);
  const broken = [...held].flatMap(([what, promised]) => {
    const now = kept.get(what);
    return now === promised ? [] : [`${what}: ${promised} was promised, ${now ?? "nothing"} is there`];
  });
  return [...broken, ...earlierSunsets(released, current)];
}

/** Days compare as texts. A deprecation that was taken back breaks no promise. */
function earlierSunsets(released: Registry, current: Registry): string[] {
  const now = sunsetsOf(current);
  return [...sunsetsOf(released)].flatMap(([rpc, promised]) => {
    const sunset = now.get(rpc) ?? promised;
    return sunset < promised ? [`${rpc} has its sunset on ${sunset}, and ${promised} was promised`] : [];
  });
}

function sunsetsOf(protos: Registry): Map<string, string> {
  const sunsets = new Map<string, string>();
  for (const type of protos) {
    if (type.kind !== "service") continue;
    for (const method of type.methods) {
      if (hasOption(method, deprecation)) {
        sunsets.set(`${type.typeName}/${method.name}`, getOption(method, deprecation).sunset);
      }
    }
  }
  return sunsets;
}

function promisesOf(protos: Registry): Map<string, string> {
  const promises = new Map<string, string>();
  for (const type of protos) {
    if (type.kind === "service") {
      for (const method of type.methods) {
        promises.set(`${type.typeName}/${method.name} requires`, getOption(method, required_scope));
      }
    }
    if (type.kind === "enum" && type.name === "ErrorReason") addReasons(promises, type);
  }
  return promises;
}

/**
 * A transport at which a reason could not occur promises nothing. Titles and remedies are words, and may be said
 * better.
 */
function addReasons(promises: Map<string, string>, { values }: DescEnum): void {
  for (const value of values) {
    const { httpStatus, grpcStatus } = getOption(value, error_rule);
    if (httpStatus !== 0) promises.set(`${value.name} over REST is`, String(httpStatus));
    if (grpcStatus !== "") promises.set(`${value.name} over gRPC is`, grpcStatus);
  }
}
