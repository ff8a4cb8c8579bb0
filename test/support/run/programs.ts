// Programs that tests run beside the service, and libraries that those need: found on this machine, or installed where that
// is possible.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { packagesOfR } from "../../../tools/validation/kit.ts";

const execute = promisify(execFile);
const maxOutputBytes = 64 << 20;
/** Another apt may be at work: how long to wait for it. */
const lockSeconds = 1_200;
/** An ordinary user's PATH leaves out where servers live. */
const moreFolders = "/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin";

/** Programs with the packages of Debian that bring them. */
const programs = {
  buildah: ["buildah", "runc", "uidmap"],
  "docker-compose": ["docker-compose"],
  go: ["golang-go"],
  grpc_python_plugin: ["protobuf-compiler-grpc"],
  haproxy: ["haproxy"],
  jq: ["jq"],
  mariadb: ["mariadb-client-core"],
  mmdebstrap: ["mmdebstrap"],
  podman: ["podman", "runc", "uidmap"],
  prometheus: ["prometheus"],
  protoc: ["protobuf-compiler"],
  qpdf: ["qpdf"],
  promtool: ["prometheus"],
  // Debian's own, which Debian's packages for Python belong to.
  "/usr/bin/python3": ["python3"],
  Rscript: packagesOfR,
  strace: ["strace"],
  "systemd-analyze": ["systemd"],
} as const satisfies Record<string, readonly string[]>;

/** Files that libraries bring, with the packages of Debian. */
const libraries = {
  "/usr/share/keyrings/debian-archive-keyring.gpg": ["debian-archive-keyring"],
  "/usr/lib/python3/dist-packages/grpc/__init__.py": ["python3-grpcio", "python3-protobuf"],
  "/usr/lib/python3/dist-packages/pandas/__init__.py": ["python3-pandas"],
  "/usr/lib/python3/dist-packages/requests/__init__.py": ["python3-requests"],
} as const satisfies Record<string, readonly string[]>;

/** Before all tests, since two that install something at once are in each other's way. Who misses one says so. */
export async function setup(): Promise<void> {
  for (const program of Object.keys(programs)) await provide(program as keyof typeof programs).catch(() => undefined);
  for (const file of Object.keys(libraries))
    await provideLibrary(file as keyof typeof libraries).catch(() => undefined);
}

/** The absolute path of a program. Throws in one line where it cannot be had. */
export async function provide(program: keyof typeof programs): Promise<string> {
  const present = await findProgram(program);
  if (present !== undefined) return present;
  await installPackages(program, programs[program]);
  const installed = await findProgram(program);
  if (installed === undefined) throw new Error(`${programs[program].join(", ")} bring no ${program}`);
  return installed;
}

/** Sees that a library is there. Throws in one line where it cannot be had. */
export async function provideLibrary(file: keyof typeof libraries): Promise<void> {
  if (existsSync(file)) return;
  await installPackages(file, libraries[file]);
  if (!existsSync(file)) throw new Error(`${libraries[file].join(", ")} bring no ${file}`);
}

async function installPackages(what: string, packages: readonly string[]): Promise<void> {
  const aptGet = process.getuid?.() === 0 ? await findProgram("apt-get") : undefined;
  if (aptGet === undefined) throw new Error(`there is no ${what}: install Debian's ${packages.join(", ")}`);
  await aptInstall(aptGet, packages);
}

/** The absolute path of the first of these programs that is on PATH or in a usual folder. */
export async function findProgram(...names: readonly string[]): Promise<string | undefined> {
  const script = `PATH="$PATH:${moreFolders}"; for name; do command -v "$name" && exit; done; exit 0`;
  const { stdout } = await execute("sh", ["-c", script, "sh", ...names]);
  return stdout.trim() || undefined;
}

/**
 * Installs packages without their recommendations; a refreshed package list is tried only when the one at hand does not
 * do. Needs root. Throws an error of one line when it fails.
 */
export async function aptInstall(aptGet: string, packages: readonly string[]): Promise<void> {
  const install = () => run(aptGet, "install", "--no-install-recommends", ...packages);
  try {
    await install().catch(() => run(aptGet, "update").then(install));
  } catch (error) {
    const lines = error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n") : [];
    throw new Error(`${packages.join(", ")} could not be installed: ${lines.at(-1) || String(error)}`);
  }
}

function run(aptGet: string, ...args: string[]) {
  const options = ["-q", "-y", "-o", `DPkg::Lock::Timeout=${lockSeconds}`];
  // Nobody is there to answer a question.
  return execute("env", ["DEBIAN_FRONTEND=noninteractive", aptGet, ...options, ...args], { maxBuffer: maxOutputBytes });
}
