// The secrets that a lease signs with: each up to the moment that it ends, be there others or not.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { SecretSealer } from "../../../src/domain/webhooks/sealed-secrets.ts";
import { LeasedSecrets } from "../../../src/webhooks/lease/leased-secrets.ts";
import { at, someId } from "../../support/builders.ts";

const sealer = new SecretSealer([randomBytes(32)], randomBytes);

function sealedUntil(expiresAt: Date | null, by = sealer) {
  const [secret, place] = [by.newSecret(), { id: someId(), endpointId: someId() }];
  return { secret, sealed: { ...place, ...by.seal(secret, place), createdAt: at(0), expiresAt } };
}

test("a secret signs until it ends, and not in that moment; those that have not ended go on", () => {
  const [latest, before] = [sealedUntil(null), sealedUntil(at(1_000))];
  const secrets = new LeasedSecrets([latest.sealed, before.sealed], sealer);
  expect(secrets.at(at(999).getTime())).toEqual([latest.secret, before.secret].map((each) => Buffer.from(each)));
  expect(secrets.at(at(1_000).getTime())).toEqual([Buffer.from(latest.secret)]);
});

test("whoever keeps keys by the list has the same one until a secret ends", () => {
  const secrets = new LeasedSecrets([sealedUntil(null).sealed, sealedUntil(at(1_000)).sealed], sealer);
  const list = secrets.at(at(0).getTime());
  expect(secrets.at(at(999).getTime())).toBe(list);
  const left = secrets.at(at(1_000).getTime());
  expect(left).not.toBe(list);
  expect(secrets.at(at(2_000).getTime())).toBe(left);
});

test("a secret that no key opens is left out, and where all have ended there is none", () => {
  const others = sealedUntil(null, new SecretSealer([randomBytes(32)], randomBytes));
  const own = sealedUntil(at(1_000));
  const secrets = new LeasedSecrets([others.sealed, own.sealed], sealer);
  expect(secrets.at(at(0).getTime())).toEqual([Buffer.from(own.secret)]);
  expect(secrets.at(at(1_000).getTime())).toEqual([]);
});
