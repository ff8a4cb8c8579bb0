// What the options of released protos promise, which `buf breaking` does not look at: whose token may make a call, and
// how each reason for an error appears at each transport.
import {
  createFileRegistry,
  type DescEnum,
  type DescMethod,
  type FileRegistry,
  fromBinary,
  getOption,
  hasOption,
  type Registry,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { deprecation, error_rule, required_scope } from "../../src/gen/assessment/v1/options_pb.ts";
import { isCalendarDay } from "../../src/kernel/formats.ts";

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

const leastMonths = 12;

/**
 * Faults of deprecations, each in a line: `deprecated`, which generated clients show, without `deprecation`, or the reverse; an
 * invalid day; too short a period; no replacement.
 */
export function deprecationFaults(protos: Registry): string[] {
  const services = [...protos].filter((type) => type.kind === "service");
  return services.flatMap(({ methods }) =>
    methods.flatMap((method) => {
      const fault = faultOf(method);
      return fault === undefined ? [] : [`${method.parent.typeName}/${method.name} ${fault}`];
    }),
  );
}

function faultOf(method: DescMethod): string | undefined {
  const isStated = hasOption(method, deprecation);
  if (isStated !== method.deprecated) return "needs both options or none: deprecated = true, and (deprecation)";
  if (!isStated) return undefined;
  const { since, sunset, instead } = getOption(method, deprecation);
  if (!isCalendarDay(since) || !isCalendarDay(sunset)) return "needs since and sunset as days, such as 2026-11-22";
  const earliest = new Date(since);
  earliest.setUTCMonth(earliest.getUTCMonth() + leastMonths);
  if (new Date(sunset) < earliest) return `needs a sunset ${leastMonths} months after since`;
  return instead === "" ? "needs the words of what to use instead" : undefined;
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
