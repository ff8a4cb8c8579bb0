// Where webhooks may go: not to addresses inside, whatever a name says, and when.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { createProxyTest } from "../../../src/transport/http/request-record.ts";
import {
  AddressGuard,
  createDestinationCheck,
  createNameResolver,
} from "../../../src/webhooks/sending/destinations.ts";
import { folderOfTest } from "../../support/folders.ts";
import { startNameServer } from "../../support/webhooks/name-server.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";
import { newSender } from "../../support/webhooks/sender.ts";

test.each([
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.169.254",
  "172.16.0.1",
  "192.0.2.1",
  "192.168.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:10.0.0.1",
  "::ffff:7f00:1",
  "::10.0.0.1",
  "64:ff9b::a00:1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b::a83f:8110",
  "64:ff9b:1::808:808",
  "::ffff:0:8.8.8.8",
  "168.63.129.16",
  "161.26.0.6",
  "166.9.0.1",
  "2001:db8::1",
  "2002:a00:1::",
  "fc00::1",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "nonsense",
])("webhooks cannot be sent to %s", (address) => {
  expect(new AddressGuard([]).isPermitted(address, true)).toBe(false);
});

test.each(["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8", "64:ff9b::808:808"])(
  "webhooks can be sent to %s, which is public",
  (address) => {
    const guard = new AddressGuard([]);
    expect(guard.isPermitted(address, true)).toBe(true);
    expect(guard.isPermitted(address, false)).toBe(false);
  },
);

test("networks that the operator allows may be private, and reached by plain http", () => {
  const guard = new AddressGuard(["10.0.0.0/8", "fd00::/8"]);
  const inside = ["10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::a01:203", "fd00::1"];
  for (const address of inside) expect(guard.isPermitted(address, false)).toBe(true);
  expect(guard.isPermitted("192.168.0.1", true)).toBe(false);
});

test.each([
  ["8.8.8.8", "8.8.8.8/32"],
  ["fd00::1", "fd00::1/128"],
  ["10.0.0.0/8, fd00::/8", "10.0.0.0/8", "fd00::/8"],
])("%s are networks for whoever reads the configuration", (text, ...networks) => {
  for (const name of ["WEBHOOK_ALLOWED_NETWORKS", "TRUSTED_PROXIES"] as const) {
    expect(readConfig({ [name]: text })[name]).toEqual(networks);
  }
  const [address = ""] = networks.map((network) => network.split("/")[0] ?? "");
  expect([new AddressGuard(networks).isAllowed(address), createProxyTest(networks)(address)]).toEqual([true, true]);
});

test.each(["10.0.0.0/", "10.0.0.0/8/9", "10.0.0.0/33", "10/8", "010.0.0.0/8", "fe80::1%eth0", "partner.example"])(
  "%s is refused as a network when the configuration is read",
  (text) => {
    for (const name of ["WEBHOOK_ALLOWED_NETWORKS", "TRUSTED_PROXIES"]) {
      expect(() => readConfig({ [name]: text })).toThrow(`${name} must be addresses, or networks in CIDR notation`);
    }
  },
);

test("a refused URL is told why: its name, the name server, its protocol, its addresses", async () => {
  const codes = async (endpointUrl: string, ...addresses: string[]) =>
    (await newSender(await startNameServer(addresses)).check(endpointUrl)).map(({ code }) => code);
  const url = "https://partner.example/";
  expect(await codes(url, "93.184.216.34", "8.8.8.8")).toEqual([]);
  expect(await codes(url, "93.184.216.34", "10.0.0.1")).toEqual(["not_public"]);
  expect(await codes("http://partner.example/", "8.8.8.8")).toEqual(["not_https"]);
  for (const each of [url, "http://partner.example/"]) expect(await codes(each)).toEqual(["name_not_found"]);
  const { check, send } = newSender("127.0.0.1:9");
  expect((await check(url)).map(({ code }) => code)).toEqual(["name_server_failed"]);
  expect(await send(url)).toMatchObject({ status: null, error: "name_server_failed" });
});

test("a host that only has IPv4 is public behind a NAT64, if its own address is", async () => {
  const codes = async (address: string) =>
    (await createDestinationCheck(new AddressGuard([]), async () => [address])("https://partner.example/")).map(
      ({ code }) => code,
    );
  expect(await codes("64:ff9b::808:808")).toEqual([]);
  expect(await codes("64:ff9b::a00:1")).toEqual(["not_public"]);
});

test("a name of the system's file of hosts has the addresses of that file, and no name server is asked", async () => {
  const folder = folderOfTest();
  const hostsFile = join(folder, "hosts");
  const lines = [
    "127.0.0.1 localhost",
    "10.0.0.1\tOther receiver # fd00::1 not",
    "fd00::2 receiver",
    "nonsense receiver",
  ];
  writeFileSync(hostsFile, `# ${lines.join("\n")}\n`);
  const resolve = createNameResolver([await startNameServer(["8.8.8.8"])], hostsFile);
  expect(await resolve("receiver")).toEqual(["10.0.0.1", "fd00::2"]);
  expect(await resolve("other")).toEqual(["10.0.0.1"]);
  for (const name of ["not", "partner.example"]) expect(await resolve(name)).toEqual(["8.8.8.8"]);
  expect(await createNameResolver([], join(folder, "none"))("localhost")).toEqual(["127.0.0.1", "::1"]);
});

test("a name that resolves to a private address on delivery gets nothing, though it was public when it was checked", async () => {
  const receiver = await startReceiver();
  const { port } = new URL(receiver.url);
  const { check, send } = newSender(await startNameServer(["93.184.216.34"], ["127.0.0.1"]));
  const url = `https://partner.example:${port}/hooks`;
  expect(await check(url)).toEqual([]);
  expect(await send(url)).toMatchObject({ status: null, error: "not_public" });
  expect(receiver.received).toEqual([]);
});

test("an IP address in a URL is checked although no name is resolved", async () => {
  const receiver = await startReceiver();
  const { send } = newSender(await startNameServer());
  expect(await send(receiver.url)).toMatchObject({ error: "not_public" });
  expect(await send(receiver.url.replace("http:", "https:"))).toMatchObject({ error: "not_public" });
  expect(receiver.received).toEqual([]);
});

test("a name in an allowed network is reached at the address that was checked", async () => {
  const receiver = await startReceiver();
  const { send } = newSender(await startNameServer(["127.0.0.1"]), "127.0.0.0/8");
  const url = receiver.url.replace("127.0.0.1", "receiver.example");
  expect(await send(url)).toMatchObject({ status: 204, error: null });
  expect(receiver.received[0]?.headers.host).toMatch(/^receiver\.example:/);
});

test("localhost is this machine, whatever a name server says, where the operator allows it", async () => {
  const receiver = await startReceiver();
  const url = receiver.url.replace("127.0.0.1", "localhost");
  const nameServer = await startNameServer(["93.184.216.34"]);
  const { check, send } = newSender(nameServer, "127.0.0.0/8", "::1/128");
  expect(await check(url)).toEqual([]);
  expect(await send(url)).toMatchObject({ status: 204, error: null });
  const elsewhere = newSender(nameServer);
  const secure = url.replace("http:", "https:");
  expect((await elsewhere.check(secure)).map(({ code }) => code)).toEqual(["not_public"]);
  expect(await elsewhere.send(secure)).toMatchObject({ status: null, error: "not_public" });
  expect(receiver.received).toHaveLength(1);
});

test("the address of the connection itself is checked, whatever was checked before", async () => {
  const receiver = await startReceiver();
  const nameServer = await startNameServer(["0.0.0.0"]);
  const urls = ["receiver.example", "0.0.0.0"].map((host) => receiver.url.replace("127.0.0.1", host));
  // The system connects 0.0.0.0 to this machine, which has another address.
  const { send } = newSender(nameServer, "0.0.0.0/32");
  for (const url of urls) expect(await send(url)).toMatchObject({ status: null, error: "not_public" });
  expect(receiver.received).toEqual([]);
  const allowed = newSender(nameServer, "0.0.0.0/32", "127.0.0.1/32");
  for (const url of urls) expect(await allowed.send(url)).toMatchObject({ status: 204, error: null });
  expect(receiver.received).toHaveLength(2);
});

test.each([
  ["http://[fd00::1]/", []],
  ["http://10.0.0.1/", []],
  ["https://[2606:2800:220:1::1]/", ["is_address"]],
  ["https://[64:ff9b::1.2.3.4]/", ["is_address"]],
])("the address in %s is used as it stands, without a DNS query", async (url, codes) => {
  const check = createDestinationCheck(new AddressGuard(["10.0.0.0/8", "fd00::/8"]), () => {
    throw new Error("an address is no name");
  });
  expect((await check(url)).map(({ code }) => code)).toEqual(codes);
});
