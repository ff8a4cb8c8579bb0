// What the ways to run it have in common: variables that there are, time to stop in, no more rights than needed.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { variables } from "../../src/config.ts";

/** The service ends what is left after this time. */
const drainSeconds = 10;
const read = (file: string) => readFileSync(`deploy/${file}`, "utf8");

const containerfile = read("Containerfile");
const unit = read("systemd/pas@.service");
const compose = parse(read("compose.yaml"), { merge: true });
const deployment = parse(read("kubernetes/deployment.yaml"));
const configuration = parse(read("kubernetes/configuration.yaml"));
const job = parse(read("kubernetes-migrate/job.yaml"));

test.each([
  [
    "the Containerfile",
    [...(/^ENV (.+)$/m.exec(containerfile)?.[1]?.matchAll(/(\w+)=/g) ?? [])].map(([, name]) => name),
  ],
  ["the unit", [...(/^Environment=(.+)$/m.exec(unit)?.[1]?.matchAll(/(\w+)=/g) ?? [])].map(([, name]) => name)],
  ["the Compose file", Object.keys(compose.services["pas-a"].environment)],
  ["the ConfigMap", Object.keys(configuration.data)],
])("%s sets only variables that exist", (_where, names) => {
  expect(names.length).toBeGreaterThan(1);
  expect(names.filter((name) => !(name && name in variables))).toEqual([]);
});

const { containers } = deployment.spec.template.spec;
test.each([
  ["the Compose file", Object.keys(compose.services["pas-a"].environment)],
  [
    "the Deployment with its ConfigMap",
    [...Object.keys(configuration.data), ...containers[0].env.map(({ name }: { name: string }) => name)],
  ],
  ["the example for the unit", [...read("systemd/pas.env.example").matchAll(/^(\w+)=/gm)].map(([, name]) => name)],
])("%s passes what `pas doctor` warns of where it is not set, and the token of metrics", (_where, names) => {
  const expectedNames = ["DATABASE_URL", "PUBLIC_URL", "WEBHOOK_KEY", "AUDIT_KEY", "METRICS_TOKEN", "TRUSTED_PROXIES"];
  expect(expectedNames.filter((name) => !names.includes(name))).toEqual([]);
  expect(names.filter((name) => !(name && name in variables))).toEqual([]);
});

const readDelay = (text: string) => Number(/SHUTDOWN_DELAY_SECONDS["=: ]+(\d+)/.exec(text)?.[1]);
const imageDelay = readDelay(containerfile);

test.each([
  ["the unit", readDelay(unit), Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])],
  ["the Compose file", imageDelay, Number.parseInt(compose.services["pas-a"].stop_grace_period, 10)],
  [
    "the Deployment",
    Number(configuration.data.SHUTDOWN_DELAY_SECONDS),
    deployment.spec.template.spec.terminationGracePeriodSeconds,
  ],
])("%s leaves time after the signal to drain, before the process is killed", (_where, delay, grace) => {
  expect(delay).toBeGreaterThan(0);
  expect(grace).toBeGreaterThan(delay + drainSeconds);
});

test("HAProxy notices a process that is about to stop before it stops", () => {
  const [, interval = "", fall = ""] = /^ *default-server inter (\d+)s fall (\d+)/m.exec(read("haproxy.cfg")) ?? [];
  expect(imageDelay).toBeGreaterThan(Number(interval) * (Number(fall) + 1));
});

test("nothing in deploy/ trusts a network of more than 256 addresses about whom a request is from", () => {
  const environment = /^TRUSTED_PROXIES=(.*)$/m.exec(read("systemd/pas.env.example"))?.[1] ?? "";
  const networks = [configuration.data.TRUSTED_PROXIES, environment].flatMap((list) => list.split(","));
  expect(networks.map((network) => Number(network.split("/")[1]) >= 24)).toEqual(networks.map(() => true));
});

test("the Compose file trusts HAProxy alone about whom a request is from, not Docker's gateway, from which callers may seem to come", () => {
  const withDefaults = (text: string): string => {
    const next = text.replaceAll(/\$\{\w+:-([^${}]*)\}/g, "$1");
    return next === text ? text : withDefaults(next);
  };
  const trustedNetwork = withDefaults(compose.services["pas-a"].environment.TRUSTED_PROXIES);
  const proxy = withDefaults(compose.services.haproxy.networks.default.ipv4_address);
  const subnet = withDefaults(compose.networks.default.ipam.config[0].subnet);
  expect(trustedNetwork).toBe(`${proxy}/32`);
  // Docker gives its gateway the first address of a network.
  const gateway = subnet.replace(/\.0\/24$/, ".1");
  expect(gateway).toMatch(/^[\d.]+\.1$/);
  expect(proxy).not.toBe(gateway);
});

test("no health check has a secret among its arguments", () => {
  const checks = Object.values(compose.services).map((service) =>
    JSON.stringify((service as { healthcheck?: unknown }).healthcheck ?? ""),
  );
  expect(checks.join()).toContain("mysqladmin");
  expect(checks.join()).not.toMatch(/PASSWORD|SECRET|TOKEN|KEY/);
});

test("every container is read-only, without capabilities, as a user who is not root", () => {
  for (const name of ["migrate", "pas-a", "pas-b"]) {
    expect(compose.services[name]).toMatchObject({ read_only: true, cap_drop: ["ALL"], user: "65532:65532" });
  }
  for (const { spec } of [deployment.spec.template, job.spec.template]) {
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 });
    expect(spec.automountServiceAccountToken).toBe(false);
    for (const { securityContext } of spec.containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  }
  expect(containerfile).toMatch(/^USER 65532:65532$/m);
});
