// Whom a request counts for behind proxies: what a trusted one names, with or without a port, and nothing that is no address.
import { expect, test } from "vitest";
import { createAddressReader } from "../../../src/transport/http/request-record.ts";

const addressOf = createAddressReader(["10.0.0.0/8", "fd00::/8"]);
const proxy = "10.0.0.1";

test.each([
  ["no proxy is in between", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
  ["the proxy names nobody", proxy, undefined, proxy],
  ["the proxy names the caller", proxy, "198.51.100.1", "198.51.100.1"],
  ["the caller names others", proxy, "192.0.2.1, 198.51.100.1", "198.51.100.1"],
  ["a second proxy is in between", proxy, "192.0.2.1, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
  ["every hop is a proxy", proxy, "10.3.3.3, 10.2.2.2", "10.3.3.3"],
  ["a port is appended", proxy, "198.51.100.1:5678", "198.51.100.1"],
  ["a second proxy appends its port", proxy, "198.51.100.1:5678, 10.9.9.9:80", "198.51.100.1"],
  ["an IPv6 address stands in brackets", proxy, "[2001:db8::1]", "2001:db8::1"],
  ["an IPv6 address has brackets and a port", proxy, "[2001:db8::1]:443", "2001:db8::1"],
  ["an IPv6 proxy has a port", proxy, "2001:db8::1, [fd00::1]:443", "2001:db8::1"],
  ["members of the list are empty", proxy, "198.51.100.1,, ,", "198.51.100.1"],
])("the address of the caller is found where %s", (_name, peer, forwardedFor, caller) => {
  expect(addressOf(peer, forwardedFor)).toBe(caller);
});

test.each([
  "unknown",
  "_hidden",
  "198.51.100.1:",
  "198.51.100.1:x",
  "198.51.100.999",
  "[::1",
  "[198.51.100.1]x",
  ":80",
])("the hop %s counts as the proxy that named it", (hop) => {
  expect(addressOf(proxy, hop)).toBe(proxy);
  expect(addressOf(proxy, `198.51.100.1, ${hop}, 10.2.2.2`)).toBe("10.2.2.2");
});

test("a caller that uses many ports counts once", () => {
  const callers = Array.from({ length: 1_000 }, (_, port) => addressOf(proxy, `198.51.100.1:${port}`));
  expect(new Set(callers)).toEqual(new Set(["198.51.100.1"]));
});
