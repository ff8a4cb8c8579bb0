// Where webhooks may go: not to addresses inside, whatever a name says, and when.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { AddressGuard, destinationCheck, nameResolver } from "../../../src/webhooks/sending/destinations.ts";
import { HttpWebhookSender } from "../../../src/webhooks/sending/sender.ts";
import { startNameServer } from "../../support/webhooks/name-server.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";

const { signal } = new AbortController();

function newSender(nameServer: string, ...allowedNetworks: readonly string[]) {
  const guard = new AddressGuard(allowedNetworks);
  const resolve = nameResolver([nameServer]);
  const sender = new HttpWebhookSender({ guard, resolve, monotonic: () => performance.now() });
  onTestFinished(() => sender.close());
  const send = (url: string) =>
    sender.send({ url, id: "evt_1", body: "{}", secrets: [Buffer.alloc(32)], sentAt: new Date() }, signal);
  return { guard, send, check: destinationCheck(guard, resolve) };
}

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
  "64:ff9b:1::a00:1",
  "2001:db8::1",
  "2002:a00:1::",
  "fc00::1",
  "fe80::1",
  "fec0::1",
  "ff02::1",
  "nonsense",
])("webhooks cannot be sent to %s", (address) => {
  expect(new AddressGuard([]).permits(address, true)).toBe(false);
});

test.each(["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8"])(
  "webhooks can be sent to %s, which is public",
  (address) => {
    const guard = new AddressGuard([]);
    expect(guard.permits(address, true)).toBe(true);
    expect(guard.permits(address, false)).toBe(false);
  },
);

test("networks that the operator allows may be private, and reached by plain http", () => {
  const guard = new AddressGuard(["10.0.0.0/8", "fd00::/8"]);
  for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "fd00::1"]) expect(guard.permits(address, false)).toBe(true);
  expect(guard.permits("192.168.0.1", true)).toBe(false);
});

test("a name is public if all of its addresses are", async () => {
  const url = "https://partner.example/";
  const codes = async (...addresses: string[]) =>
    (await newSender(await startNameServer(addresses)).check(url)).map(({ code }) => code);
  expect(await codes("93.184.216.34", "8.8.8.8")).toEqual([]);
  expect(await codes("93.184.216.34", "10.0.0.1")).toEqual(["not_public"]);
  expect(await codes()).toEqual(["not_public"]);
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

test("a name without an address and a closed port are reported as such", async () => {
  const { send } = newSender(await startNameServer([]), "127.0.0.0/8");
  expect(await send("https://partner.example/")).toMatchObject({ error: "name_not_found" });
  expect(await send("http://127.0.0.1:9/")).toMatchObject({ error: "connect_failed" });
});

test("only the first bytes of an endless response are read, and its status counts", async () => {
  let sent = 0;
  const server = createServer((_, response) => {
    response.writeHead(200);
    const fill = () => {
      while (!response.destroyed) {
        sent += 65_536;
        if (!response.write(Buffer.alloc(65_536))) break;
      }
    };
    response.on("drain", fill);
    fill();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { send } = newSender(await startNameServer(), "127.0.0.0/8");
  expect(await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).toMatchObject({ status: 200 });
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});

test("endless headers count as a failure", async () => {
  const receiver = await startReceiver(() => ({ status: 204, headers: { "x-long": "a".repeat(20_000) } }));
  const { send } = newSender(await startNameServer(), "127.0.0.0/8");
  expect(await send(receiver.url)).toMatchObject({ status: null, error: "headers_too_large" });
});

test.each([
  ["http://[fd00::1]/", []],
  ["http://10.0.0.1/", []],
  ["https://[2606:2800:220:1::1]/", ["not_public"]],
])("the address in %s is used as it stands, without a DNS query", async (url, codes) => {
  const check = destinationCheck(new AddressGuard(["10.0.0.0/8", "fd00::/8"]), () => {
    throw new Error("an address is no name");
  });
  expect((await check(url)).map(({ code }) => code)).toEqual(codes);
});

test("a response says in seconds or by a date when to come again, an hour at most", async () => {
  const { send } = newSender(await startNameServer(), "127.0.0.0/8");
  const asked = async (retryAfter: string) => {
    const receiver = await startReceiver(() => ({ status: 503, headers: { "retry-after": retryAfter } }));
    return (await send(receiver.url)).retryAfterSeconds;
  };
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toUTCString();
  expect(await asked("120")).toBe(120);
  const halfAnHour = (await asked(inMinutes(30))) ?? 0;
  expect(halfAnHour).toBeGreaterThan(0);
  expect(halfAnHour).toBeLessThanOrEqual(30 * 60);
  expect([await asked("3601"), await asked(inMinutes(600))]).toEqual([3_600, 3_600]);
  expect([await asked(inMinutes(-1)), await asked("soon")]).toEqual([0, null]);
});
