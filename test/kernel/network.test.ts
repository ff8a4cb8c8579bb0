// The network of an address, which limits count unknown callers by.
import fc from "fast-check";
import { expect, test } from "vitest";
import { toNetwork } from "../../src/kernel/calls/core.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"],
  ["2001:DB8::1", "2001:db8:0:0::/64"],
  ["2001::5:a:b:c:d", "2001:0:0:5::/64"],
  ["::ffff:cb00:7107", "203.0.113.7"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
  ["", ""],
])("the address %j counts as %j", (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

/** Ways to write an IPv6 address: from which group on how many zeros are left out, how digits are written, and its end. */
const writings = fc.record({
  groups: fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff })), { minLength: 8, maxLength: 8 }),
  from: fc.nat(7),
  isPadded: fc.boolean(),
  isUpper: fc.boolean(),
  isDotted: fc.boolean(),
});

test("the network of an IPv6 address is its first four groups, however the address is written", () => {
  fc.assert(
    fc.property(writings, ({ groups, from, isPadded, isUpper, isDotted }) => {
      fc.pre(!groups.slice(0, 5).every((group) => group === 0));
      const hex = (group: number) => group.toString(16).padStart(isPadded ? 4 : 1, "0");
      const [high = 0, low = 0] = groups.slice(6);
      const end = isDotted ? [[high >> 8, high & 255, low >> 8, low & 255].join(".")] : [hex(high), hex(low)];
      const written = [...groups.slice(0, 6).map(hex), ...end];
      let zeros = 0;
      while (from + zeros < (isDotted ? 6 : 8) && groups[from + zeros] === 0) zeros += 1;
      const short = `${written.slice(0, from).join(":")}::${written.slice(from + zeros).join(":")}`;
      const address = zeros === 0 ? written.join(":") : short;
      const network = `${groups
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(":")}::/64`;
      expect([address, toNetwork(isUpper ? address.toUpperCase() : address)]).toEqual([address, network]);
    }),
    { numRuns: 2_000 },
  );
});
