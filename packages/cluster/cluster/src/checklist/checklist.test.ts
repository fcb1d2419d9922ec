import { expect, test } from "vitest";
import { openChecklist, runChecklist } from "./checklist.ts";
import { createShopProject, type ShopProjectOptions } from "./testing/shop-project.ts";

test("ticks all milestones of an operator without mistakes", async () => {
  await using project = await createShopProject();
  const lines: string[] = [];
  expect(await runChecklist({ folder: project.folder }, (line) => lines.push(line)), lines.join("\n")).toBe(
    true,
  );
  expect(lines).toHaveLength(10);
  expect(lines[9]).toBe("✓ 10 its Pods may run under the standard restricted");
});

test("stops at the first milestone that is missed, and names the rest", async () => {
  await using project = await createShopProject({ mistake: "creates nothing" });
  const lines: string[] = [];
  expect(await runChecklist({ folder: project.folder, patience: 1_000 }, (line) => lines.push(line))).toBe(
    false,
  );
  expect(lines.slice(0, 5)).toEqual([
    "✓  1 the CRD accepts the sample and rejects bad ones",
    "✗  2 the sample leads to the objects that it owns",
    "     ConfigMap tea does not exist. Create it as the sample asks, in your reconcile function.",
    "     The checklist waited 1 s for this to change.",
    "   3 a deleted object comes back",
  ]);
});

const broken: readonly [milestone: number, name: string, project: ShopProjectOptions, message: string][] = [
  [1, "accepts a bad sample", { replace: { ", minLength: 1": "" } }, "The server accepts the sample with"],
  [1, "rejects the sample", { replace: { "{text: open}": "{test: open}" } }, 'unknown field "spec.test"'],
  [
    1,
    "has no such field",
    { replace: { '- spec: {text: ""}': '- spec: {test: ""}' } },
    'capstone.yaml: rejects: {"spec":{"test":""}}: the CRD has no field spec.test',
  ],
  [
    1,
    "has an invalid CRD",
    { replace: { "plural: shops": "plural: Shops" } },
    "The server rejects your CRD.",
  ],
  [1, "cannot be generated", { replace: { '"true"': '"false"' } }, "`false` failed with status 1"],
  [2, "exits", { mistake: "exits" }, "this operator cannot start"],
  [
    2,
    "throws",
    { mistake: "throws" },
    "10 s for this to change.\nThe operator's last error: text is not a function",
  ],
  [2, "forgets the owner", { mistake: "forgets the owner" }, "does not name the sample as its controller"],
  [3, "creates once", { mistake: "creates once" }, "After its deletion: ConfigMap tea does not exist."],
  [4, "never updates", { mistake: "never updates" }, 'data.text is "open". capstone.yaml promises "closed".'],
  [5, "has no status", { mistake: "has no status" }, "The sample's status has no condition."],
  [
    5,
    "reports the first generation",
    { mistake: "reports the first generation" },
    "The condition Ready has the observedGeneration 1, and the sample has the generation 2.",
  ],
  [
    5,
    "has no status subresource",
    { mistake: "writes the status into the object", replace: { "    subresources: {status: {}}\n": "" } },
    "The status is not written through its subresource.",
  ],
  [6, "is restless", { mistake: "is restless" }, "ConfigMap tea is written again and again"],
  [7, "knows only news", { mistake: "knows only news" }, "After its restart: ConfigMap tea does not exist."],
  [8, "forgets the owner", { mistake: "forgets the owner" }, "ConfigMap tea is still there"],
  [8, "keeps its finalizer", { mistake: "keeps its finalizer" }, "still has the finalizer example.com/kept"],
  [9, "has a wildcard", { replace: { "[get, create, patch]": '["*"]' } }, "The role allows `configmaps *`"],
  [
    9,
    "lacks a permission",
    { replace: { "[get, create, patch]": "[get, create]" } },
    "Add a marker: +kubebuilder:rbac:groups=core,resources=configmaps,verbs=patch",
  ],
  [
    9,
    "may not write the status",
    { replace: { "- {apiGroups: [example.com], resources: [shops/status], verbs: [update]}\n": "" } },
    "Add a marker: +kubebuilder:rbac:groups=example.com,resources=shops/status,verbs=update",
  ],
  [
    9,
    "may not delete what a change asks it to delete",
    { mistake: "deletes old objects" },
    "Add a marker: +kubebuilder:rbac:groups=core,resources=configmaps,verbs=delete",
  ],
  [
    10,
    "has a privileged Pod",
    { replace: { "drop: [ALL]": "drop: []" } },
    "A Pod of Deployment operator is rejected",
  ],
  [
    10,
    "has a lax namespace",
    { replace: { "enforce: restricted": "enforce: baseline" } },
    "does not enforce restricted",
  ],
];

test.concurrent.each(broken)(
  "milestone %i notices an operator that %s",
  async (milestone, _, options, message) => {
    await using project = await createShopProject(options);
    await using checklist = openChecklist({ folder: project.folder });
    await expect(checklist.check(milestone)).rejects.toThrow(message);
  },
);

test("rejects a namespace in the objects of a capstone.yaml", async () => {
  await using project = await createShopProject({
    replace: {
      "kind: ConfigMap, metadata: {name: tea}": "kind: ConfigMap, metadata: {name: tea, namespace: shop}",
    },
  });
  await using checklist = openChecklist({ folder: project.folder });
  await expect(checklist.check(1)).rejects.toThrow(
    `${project.folder}/capstone.yaml: owns.0.metadata.namespace: leave the namespace out: the checklist uses namespaces of its own`,
  );
});

test("rejects a capstone.yaml that is missing or invalid, with its place", async () => {
  await using project = await createShopProject({ replace: { "rejects:": "refuses:" } });
  await using checklist = openChecklist({ folder: project.folder });
  await expect(checklist.check(1)).rejects.toThrow(`${project.folder}/capstone.yaml: rejects: `);
  await using nowhere = openChecklist({ folder: `${project.folder}/config` });
  await expect(nowhere.check(1)).rejects.toThrow(
    "capstone.yaml does not exist: describe your operator in it",
  );
  await expect(nowhere.check(11)).rejects.toThrow("there is no milestone 11: use a number from 1 to 10");
});
