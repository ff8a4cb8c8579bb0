// The image of the Containerfile, built and run by a user without privileges. Registries of images need not be reached:
// the base is made of Debian's packages, the Node of this repository, and this machine's npm.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, copyFile, cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Environment, startProgram } from "../../support/processes/command.ts";
import { findProgram, provide } from "../../support/run/programs.ts";

const run = promisify(execFile);
const maxBuffer = 64 << 20;

/** Who builds and runs, where the tests run as root. */
const user = "pas-image";
const subordinateIds = "200000-265535";
const packages = "libc6,libstdc++6,dash,coreutils,ca-certificates";
const certificates = "/etc/ssl/certs/ca-certificates.crt";
const base = `FROM scratch
ADD base.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ["/usr/local/bin/node", "-e", "fs.symlinkSync('/usr/local/lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm')"]
COPY ca-certificates.crt ${certificates}
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin NODE_EXTRA_CA_CERTS=${certificates}
`;
/** The strictest way to run it. The last three are for machines without cgroups, limits and systemd of their own. */
const runOptions = [
  ...["--rm", "--network", "host", "--read-only", "--tmpfs", "/tmp"],
  ...["--cap-drop", "all", "--security-opt", "no-new-privileges"],
  ...["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024", "--no-healthcheck"],
];

export type Image = Awaited<ReturnType<typeof buildImage>>;

/** Builds the image from the files that git has. */
export async function buildImage() {
  const [buildah, podman, runc] = [await provide("buildah"), await provide("podman"), await findProgram("runc")];
  const folder = await mkdtemp(join(tmpdir(), "pas-image-test-"));
  const asUser = await unprivileged(folder);
  const build = async (buildFolder: string, tag: string, ...options: string[]) => {
    const [program = "", ...words] = [...asUser, buildah, "build", "--isolation", "chroot", "--format", "docker"];
    await run(program, [...words, ...options, "-t", tag, buildFolder], { cwd: "/", maxBuffer });
  };
  await build(await baseContext(folder), "base");
  const context = await serviceContext(folder);
  await build(context, "pas", "-f", join(context, "deploy/Containerfile"), "--build-arg", "NODE_IMAGE=localhost/base");
  const [program = "", ...words] = asUser;
  // Its first call leaves a process behind that keeps the streams which it was given.
  await once(spawn(program, [...words, podman, "info"], { cwd: "/", stdio: "ignore" }), "exit");
  const { stdout } = await run(program, [...words, buildah, "inspect", "--type", "image", "localhost/pas"], {
    cwd: "/",
    maxBuffer,
  });
  return {
    /** The image's configuration, as registries keep it. */
    configuration: JSON.parse(stdout).Docker.config,
    /** Starts a container. @param entrypoint in the place of the image's own */
    start(command: readonly string[], environment: Environment = {}, entrypoint?: string) {
      const variables = Object.entries(environment).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
      const other = entrypoint === undefined ? [] : ["--entrypoint", entrypoint];
      const podmanWords = [podman, "--runtime", runc ?? "runc", "--cgroup-manager", "cgroupfs", "run", ...runOptions];
      return startProgram([program, ...words, ...podmanWords, ...variables, ...other, "localhost/pas", ...command], {
        cwd: "/",
      });
    },
    async remove() {
      process.kill(Number(await readFile(join(folder, "home/libpod/tmp/pause.pid"), "utf8")));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The words that go before a command, so that a user without privileges runs it with a store of images of its own. */
async function unprivileged(folder: string): Promise<string[]> {
  const home = join(folder, "home");
  await mkdir(home);
  await chmod(folder, 0o755);
  const environment = ["env", `HOME=${home}`, "STORAGE_DRIVER=vfs", `XDG_RUNTIME_DIR=${home}`];
  if (process.getuid?.() !== 0) return environment;
  const readId = async (option: string) => Number((await run("id", [option, user])).stdout);
  await readId("-u").catch(async () => {
    await run("useradd", ["--system", "--no-create-home", user]);
    await run("usermod", ["--add-subuids", subordinateIds, "--add-subgids", subordinateIds, user]);
  });
  await chown(home, await readId("-u"), await readId("-g"));
  return ["setpriv", "--reuid", user, "--regid", user, "--init-groups", ...environment];
}

/** A small Debian with Node and npm, as the context of a build. */
async function baseContext(folder: string): Promise<string> {
  const context = join(folder, "base");
  await mkdir(context);
  const mmdebstrap = await provide("mmdebstrap");
  // The release of this machine, whose packages it can have.
  const [, release = "stable"] = /^VERSION_CODENAME=(\w+)$/m.exec(await readFile("/etc/os-release", "utf8")) ?? [];
  await run(mmdebstrap, ["--variant=extract", `--include=${packages}`, release, join(context, "base.tar")]);
  await copyFile(process.execPath, join(context, "node"));
  await chmod(join(context, "node"), 0o755);
  const npm = await findProgram("npm");
  if (npm === undefined) throw new Error("there is no npm on this machine");
  await cp(dirname(dirname(await realpath(npm))), join(context, "npm"), { recursive: true });
  // Those of this machine, which may stand behind a proxy with an authority of its own.
  if (!existsSync(certificates)) throw new Error(`there is no ${certificates}: install Debian's ca-certificates`);
  await copyFile(certificates, join(context, "ca-certificates.crt"));
  await writeFile(join(context, "Containerfile"), base);
  return context;
}

/** The repository as a clean clone has it. */
async function serviceContext(folder: string): Promise<string> {
  const context = join(folder, "service");
  await mkdir(context);
  const paths = ["package.json", "package-lock.json", ".dockerignore", "deploy/Containerfile", "src", "docs"];
  const { stdout } = await run("git", ["ls-files", "-z", "--", ...paths], { maxBuffer });
  for (const file of stdout.split("\0").filter((each) => each !== "")) {
    await mkdir(join(context, dirname(file)), { recursive: true });
    await copyFile(file, join(context, file));
  }
  return context;
}
