// The scope that each rpc requires; its one source is the option `required_scope` in the protos.
import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { required_scope } from "../../gen/assessment/v1/options_pb.ts";

/** The scope an rpc requires, or `none`. Throws where the proto does not state one. */
export function requiredScope(method: DescMethod): string {
  const scope = hasOption(method, required_scope) ? getOption(method, required_scope) : "";
  if (scope === "") throw new Error(`${method.parent.typeName}.${method.name} states no required_scope`);
  return scope;
}
