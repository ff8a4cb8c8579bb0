// The manifests are what Kubernetes knows, and every one of them is in its Kustomization.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { faultsOf, type Manifest, readManifests } from "./support/manifests.ts";

const folders = ["deploy/kubernetes", "deploy/kubernetes-migrate"] as const;
const all = folders.flatMap(readManifests);

/** The same manifests with one text of them replaced. */
function broken(kind: string, text: string, replacement: string): Manifest[] {
  const manifest = all.find(({ content }) => content.kind === kind);
  if (manifest === undefined) throw new Error(`there is no ${kind}`);
  const json = JSON.stringify(manifest.content);
  expect(json).toContain(text);
  return [{ ...manifest, content: JSON.parse(json.replace(text, replacement)) }];
}

describe.each(folders)("%s", (folder) => {
  test("names every file that is there, and no other", () => {
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
  expect(await faultsOf(all)).toBe("");
});

test("the network policy is about pods of the service alone, and lets webhooks out to public addresses", () => {
  const spec = all.find(({ content }) => content.kind === "NetworkPolicy")?.content.spec;
  const { podSelector, egress } = spec as { readonly podSelector: object; readonly egress: readonly object[] };
  expect(podSelector).toEqual({ matchLabels: { "app.kubernetes.io/name": "pas" } });
  const out = egress.find((rule) => JSON.stringify(rule).includes('"port":443'));
  expect(out).toMatchObject({ to: [{ ipBlock: { cidr: "0.0.0.0/0" } }, { ipBlock: { cidr: "::/0" } }] });
  expect(JSON.stringify(out)).toContain("169.254.0.0/16");
});

test.each([
  ["Deployment", "periodSeconds", "periodSecond"],
  ["Deployment", '"runAsUser":65532', '"runAsUser":"65532"'],
])("a fault in a %s is found: %s", async (kind, text, replacement) => {
  expect(await faultsOf(broken(kind, text, replacement))).toMatch(/error TS\d+/);
});
