// `npm start` on a Debian that has no MariaDB, by an ordinary user and by root: nothing is asked, nothing is installed.
import { chown, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { killServerOf } from "../support/databases/servers/embedded-server.ts";
import { inTurns } from "../support/extent.ts";
import { folderOfTest } from "../support/folders.ts";
import { startProgram } from "../support/processes/command.ts";

/** No account has it. */
const uid = 64_242;
const ordinary = ["setpriv", `--reuid=${uid}`, `--regid=${uid}`, "--clear-groups"];
/** Hides programs from its processes alone, and puts the checkout where everybody may read it. */
const script = `
PATH="$PATH:/usr/sbin"
for name in $HIDDEN; do program=$(command -v "$name") && mount --bind /dev/null "$program"; done
mount --bind "$PWD" /mnt && cd /mnt && exec "$@" npm start
`;

/** A start in a new home, from which these programs and the package of the server are gone. */
async function npmStart(as: readonly string[], hidden: string) {
  const home = folderOfTest();
  const dataDir = join(home, "data");
  await writeFile(join(home, "status"), await packagesOfABareMachine());
  await writeFile(join(home, "apt.conf"), `Dir::State::status "${home}/status";\n`);
  await chown(home, uid, uid);
  const { PATH = "" } = process.env;
  const baseEnv = { PATH, HOME: home, DATA_DIR: dataDir, APT_CONFIG: join(home, "apt.conf") };
  const env = { ...baseEnv, HIDDEN: hidden, HTTP_PORT: "0", GRPC_PORT: "0" };
  const npm = startProgram(["unshare", "--mount", "sh", "-c", script, "sh", ...as], { env, detached: true });
  let isOver = false;
  void npm.ended.then(() => {
    isOver = true;
  });
  onTestFinished(async () => {
    if (!isOver) process.kill(-npm.pid, "SIGKILL");
    await killServerOf(dataDir);
  });
  return { npm, dataDir };
}

/** The packages of this machine without the server, a library that only it needs, and whatever depends on them. */
async function packagesOfABareMachine(): Promise<string> {
  const stanzas = (await readFile("/var/lib/dpkg/status", "utf8")).split("\n\n");
  const findName = (stanza: string) => /^Package: (.*)$/m.exec(stanza)?.[1] ?? "";
  const missing = new Set(["mariadb-server-core", "mariadb-common", "liburing2"]);
  for (let before = 0; before < missing.size; ) {
    before = missing.size;
    for (const stanza of stanzas) {
      const lists = [...stanza.matchAll(/^(?:Pre-)?Depends: (.*)$/gm)].map(([, list = ""]) => list);
      const needed = lists.flatMap((list) => list.match(/(?<=^|[,|] )[^ ,(:]+/g) ?? []);
      if (needed.some((name) => missing.has(name))) missing.add(findName(stanza));
    }
  }
  return stanzas.filter((stanza) => !missing.has(findName(stanza))).join("\n\n");
}

const users = [
  ["an ordinary user", ordinary],
  ["root", ["env"]],
] as const;

test.each(inTurns(users, 2, 0))(
  "%s gets a MariaDB that is unpacked into the data folder, and is served",
  async (_, as) => {
    const { npm, dataDir } = await npmStart(as, "mariadbd");
    await npm.wrote(/Stop with Ctrl-C/);
    const { stdout, stderr } = npm.output();
    expect(stdout + stderr).toContain(`mariadb-server-core is unpacked into ${dataDir}/mariadb, once`);
    const [, url = ""] = await npm.wrote(/REST +(\S+)\/v1/);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    npm.kill("SIGTERM");
    expect([await npm.ended, (await readdir(dataDir)).toSorted()]).toEqual([
      0,
      [
        "demo-client.json",
        "embedded.lock",
        "embedded.users",
        "mariadb",
        "mysql",
        "mysql.log",
        "mysql.tmp",
        "webhook.key",
      ],
    ]);
  },
);

test("the command says what to install where there is no apt", async () => {
  const { npm } = await npmStart(ordinary, "mariadbd apt-get");
  expect([await npm.ended, npm.output().stderr]).toEqual([
    1,
    expect.stringMatching(/^pas: there is no MariaDB on this machine: install it .* or set DATABASE_URL$/m),
  ]);
});
