// Writes src/gen/comments.ts: the comments of the protos, which generated code has not. They are the one description of
// services, rpcs, messages, enums and what is in them.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

const ours = "assessment.v1";

const { status, stdout, stderr } = spawnSync("buf", ["build", "--output", "-"], { maxBuffer: 64 * 1024 * 1024 });
if (status !== 0) throw new Error(`buf build failed: ${stderr}`);
const files = fromBinary(FileDescriptorSetSchema, stdout).file.filter((file) => file.package === ours);
const comments = Object.fromEntries(
  files.flatMap(collectComments).toSorted(([one], [other]) => (one < other ? -1 : 1)),
);
writeFileSync(
  "src/gen/comments.ts",
  `// @generated from the comments of proto/ by tools/protos/comments.ts
/* eslint-disable */

/** Comments by the full name of what they describe. */
export const comments: Readonly<Record<string, string>> = ${JSON.stringify(comments, undefined, 2)};
`,
);

function collectComments(file: FileDescriptorProto): [name: string, comment: string][] {
  const names = collectNames(file);
  return (file.sourceCodeInfo?.location ?? []).flatMap(({ path, leadingComments }) => {
    const name = names.get(path.join("."));
    const comment = leadingComments.trim().replace(/\s*\n\s*/g, " ");
    return name === undefined || comment === "" ? [] : [[name, comment] as [string, string]];
  });
}

/** Full names by their paths in the file; the numbers are those of the fields of descriptor.proto. */
function collectNames({ messageType, enumType, service }: FileDescriptorProto): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [index, { name, field }] of messageType.entries()) {
    names.set(`4.${index}`, `${ours}.${name}`);
    for (const [at, member] of field.entries()) names.set(`4.${index}.2.${at}`, `${ours}.${name}.${member.name}`);
  }
  for (const [index, { name, value }] of enumType.entries()) {
    names.set(`5.${index}`, `${ours}.${name}`);
    for (const [at, word] of value.entries()) names.set(`5.${index}.2.${at}`, `${ours}.${name}.${word.name}`);
  }
  for (const [index, { name, method }] of service.entries()) {
    names.set(`6.${index}`, `${ours}.${name}`);
    for (const [at, rpc] of method.entries()) names.set(`6.${index}.2.${at}`, `${ours}.${name}.${rpc.name}`);
  }
  return names;
}
