// The programs that read what is in deploy/: found on this machine, or installed where that is possible.
import { aptInstall } from "../../../src/embedded-database/apt.ts";
import { findProgram } from "../../../src/embedded-database/binary.ts";

/** Programs with the packages of Debian that bring them. */
const packages = {
  buildah: ["buildah", "runc", "uidmap"],
  "docker-compose": ["docker-compose"],
  grpc_python_plugin: ["protobuf-compiler-grpc"],
  haproxy: ["haproxy"],
  mmdebstrap: ["mmdebstrap"],
  podman: ["podman", "runc", "uidmap"],
  prometheus: ["prometheus"],
  protoc: ["protobuf-compiler"],
  promtool: ["prometheus"],
  // Debian's own, which Debian's packages for Python belong to.
  "/usr/bin/python3": ["python3"],
  "systemd-analyze": ["systemd"],
} as const satisfies Record<string, readonly string[]>;

/** The absolute path of a program. Throws in one line where it cannot be had. */
export async function provide(program: keyof typeof packages): Promise<string> {
  const present = await findProgram(program);
  if (present !== undefined) return present;
  const wanted = packages[program];
  const aptGet = process.getuid?.() === 0 ? await findProgram("apt-get") : undefined;
  if (aptGet === undefined) throw new Error(`there is no ${program}: install Debian's ${wanted.join(", ")}`);
  await aptInstall(aptGet, wanted);
  const installed = await findProgram(program);
  if (installed === undefined) throw new Error(`${wanted.join(", ")} bring no ${program}`);
  return installed;
}
