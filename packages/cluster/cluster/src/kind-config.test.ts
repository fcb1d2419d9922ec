import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseKindConfig, readKindConfig } from "./kind-config.ts";
import { nameNodes, taintsOf } from "./node-plan.ts";

const head = "kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n";

describe("parseKindConfig", () => {
  it("reads names, roles and labels, and ignores the rest", () => {
    const text = `${head}name: shop
networking: { ipFamily: ipv4 }
nodes:
  - role: control-plane
    image: kindest/node:v1.36.0
    extraPortMappings: [{ containerPort: 30080, hostPort: 8080 }]
  - role: worker
    labels: { disk: fast }
`;
    expect(parseKindConfig(text, "kind-cluster.yaml")).toEqual({
      name: "shop",
      nodes: [{ role: "control-plane" }, { role: "worker", labels: { disk: "fast" } }],
    });
  });

  it("leaves out nodes if the file does", () => {
    expect(parseKindConfig(head, "kind-cluster.yaml")).toEqual({});
  });

  it.each([
    [
      "an unknown role",
      `${head}nodes:\n  - role: control-plane\n  - role: master\n`,
      /^k\.yaml:5: nodes\[1\]\.role: .*worker/,
    ],
    ["a wrong kind", "kind: Pod\napiVersion: v1\n", /^k\.yaml:1: kind: /],
    ["an invalid name", `${head}name: My_Cluster\n`, /^k\.yaml:3: name: must consist of lower-case/],
    [
      "only workers",
      `${head}nodes: [{role: worker}]\n`,
      /^k\.yaml:3: nodes: at least one must have the role control-plane/,
    ],
    ["no nodes", `${head}nodes: []\n`, /^k\.yaml:3: nodes: /],
    ["broken YAML", `${head}nodes: [\n`, /^k\.yaml:4: /],
    ["an empty file", "", /^k\.yaml:1: /],
  ])("rejects %s in one line with file, line and field", (_name, text, message) => {
    expect(() => parseKindConfig(text, "k.yaml")).toThrow(message);
    expect(() => parseKindConfig(text, "k.yaml")).toThrow(/^[^\n]*$/);
  });

  it("reports a missing file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "kind-config-"));
    await expect(readKindConfig(join(folder, "no.yaml"))).rejects.toThrow(
      "no.yaml cannot be read: there is no such file",
    );
    await writeFile(join(folder, "yes.yaml"), head);
    expect(await readKindConfig(join(folder, "yes.yaml"))).toEqual({});
    await rm(folder, { recursive: true });
  });
});

describe("nameNodes", () => {
  it("names nodes as kind does", () => {
    const roles = ["control-plane", "worker", "control-plane", "worker", "worker"] as const;
    expect(
      nameNodes(
        "dev",
        roles.map((role) => ({ role })),
      ).map(({ name }) => name),
    ).toEqual(["dev-control-plane", "dev-worker", "dev-control-plane2", "dev-worker2", "dev-worker3"]);
    expect(nameNodes("dev").map(({ name }) => name)).toEqual(["dev-control-plane"]);
  });

  it("taints control planes only if there are workers", () => {
    const [alone] = nameNodes("dev");
    const both = nameNodes("dev", [{ role: "control-plane" }, { role: "worker" }]);
    expect(alone && taintsOf(alone, [alone])).toEqual([]);
    expect(both.map((node) => taintsOf(node, both).map(({ key }) => key))).toEqual([
      ["node-role.kubernetes.io/control-plane"],
      [],
    ]);
  });
});
