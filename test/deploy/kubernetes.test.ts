// The manifests are what Kubernetes knows, and every one of them is in its Kustomization.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { findFaults, readManifests } from "./support/manifests.ts";

const folders = ["deploy/kubernetes", "deploy/kubernetes-migrate"] as const;
const all = folders.flatMap(readManifests);

describe.each(folders)("kustomization of %s", (folder) => {
  test("kustomization.yaml names every file of its folder, and no other", () => {
    const { resources } = parse(readFileSync(`${folder}/kustomization.yaml`, "utf8"));
    const files = readdirSync(folder).filter((file) => file !== "kustomization.yaml");
    expect([...resources].sort()).toEqual(files.sort());
  });
});

test("all manifests have the shapes that their API has", async () => {
  expect(all.map(({ content }) => content.kind)).toEqual([
    "HorizontalPodAutoscaler",
    "ConfigMap",
    "Deployment",
    "PodDisruptionBudget",
    "NetworkPolicy",
    "ServiceMonitor",
    "Service",
    "Service",
    "Job",
  ]);
  expect(await findFaults(all)).toBe("");
});

test("the network policy is about pods of the service alone, and lets webhooks out to public addresses", () => {
  const spec = all.find(({ content }) => content.kind === "NetworkPolicy")?.content.spec;
  const { podSelector, egress } = spec as { readonly podSelector: object; readonly egress: readonly object[] };
  expect(podSelector).toEqual({ matchLabels: { "app.kubernetes.io/name": "pas" } });
  const out = egress.find((rule) => JSON.stringify(rule).includes('"port":443'));
  expect(out).toMatchObject({ to: [{ ipBlock: { cidr: "0.0.0.0/0" } }, { ipBlock: { cidr: "::/0" } }] });
  expect(JSON.stringify(out)).toContain("169.254.0.0/16");
});

test("a misspelt member of a manifest is found", async () => {
  const [deployment] = all.filter(({ content }) => content.kind === "Deployment");
  if (deployment === undefined) throw new Error("there is no Deployment");
  const misspelt = JSON.parse(JSON.stringify(deployment.content).replace("periodSeconds", "periodSecond"));
  expect(await findFaults([{ ...deployment, content: misspelt }])).toMatch(/error TS\d+/);
});
