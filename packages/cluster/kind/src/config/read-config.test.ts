import { expect, it } from "vitest";
import { parseKindConfig, readKindConfig } from "./read-config.ts";

const head = "kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n";

it("accepts everything in kind's v1alpha4", () => {
  const text = `${head}name: shop.1
nodes:
  - role: control-plane
    image: kindest/node:v1.36.4
    labels: { tier: 1, fast: true }
    extraMounts:
      - { hostPath: ./data, containerPath: /data, readOnly: true, selinuxRelabel: false, propagation: hosttocontainer }
    extraPortMappings:
      - { containerPort: 30080, hostPort: 0, listenAddress: 127.0.0.1, protocol: udp }
    kubeadmConfigPatches: ["kind: JoinConfiguration"]
    kubeadmConfigPatchesJSON6902: [{ group: kubeadm.k8s.io, version: v1beta4, kind: ClusterConfiguration, patch: "[]" }]
  - role: worker
networking:
  ipFamily: dual
  apiServerPort: 6443
  apiServerAddress: 127.0.0.1
  podSubnet: 10.244.0.0/16,fd00::/56
  serviceSubnet: 10.96.0.0/16
  disableDefaultCNI: true
  kubeProxyMode: none
  dnsSearch: [example.com]
featureGates: { EphemeralContainers: true }
runtimeConfig: { "api/alpha": false }
kubeadmConfigPatches: ["kind: ClusterConfiguration"]
kubeadmConfigPatchesJSON6902: []
containerdConfigPatches: ["[plugins]"]
containerdConfigPatchesJSON6902: ["[]"]
`;
  const config = parseKindConfig(text, "k.yaml");
  expect(config.nodes).toMatchObject([
    {
      labels: { tier: "1", fast: "true" },
      extraMounts: [{ propagation: "HostToContainer" }],
      extraPortMappings: [{ protocol: "UDP" }],
    },
    { role: "worker" },
  ]);
  expect(config).toMatchObject({ name: "shop.1", runtimeConfig: { "api/alpha": "false" } });
});

it("gives a node without a role kind's default", () => {
  expect(parseKindConfig(`${head}nodes: [{}]\n`, "k.yaml").nodes).toEqual([{ role: "control-plane" }]);
});

it.each([
  [
    "a field at the top",
    `${head}node:\n  - role: worker\n`,
    "k.yaml:3: node: there is no such field: did you mean nodes?",
  ],
  [
    "a field of a node",
    `${head}nodes:\n  - role: worker\n    lables: {}\n`,
    "k.yaml:5: nodes[0].lables: there is no such field: did you mean labels?",
  ],
  [
    "a field of a list in a node",
    `${head}nodes:\n  - extraPortMappings:\n      - hostport: 80\n`,
    "k.yaml:5: nodes[0].extraPortMappings[0].hostport: there is no such field: did you mean hostPort?",
  ],
  [
    "a field of the network",
    `${head}networking:\n  kubeProxy: ipvs\n`,
    "k.yaml:4: networking.kubeProxy: there is no such field: did you mean kubeProxyMode?",
  ],
  [
    "an unknown field without a similar one",
    `${head}networking:\n  colour: red\n`,
    "k.yaml:4: networking.colour: there is no such field: expected one of ipFamily, apiServerPort, ",
  ],
  ["an invalid port", `${head}networking:\n  apiServerPort: 70000\n`, "k.yaml:4: networking.apiServerPort: "],
  [
    "an invalid address",
    `${head}networking:\n  apiServerAddress: localhost\n`,
    "k.yaml:4: networking.apiServerAddress: ",
  ],
  ["an unknown mode", `${head}networking:\n  kubeProxyMode: ebpf\n`, "k.yaml:4: networking.kubeProxyMode: "],
  ["a name that is too long", `${head}name: ${"a".repeat(51)}\n`, "k.yaml:3: name: "],
  ["an older version", "kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha3\n", "k.yaml:2: apiVersion: "],
  ["a tab", `${head}nodes:\n\t- role: worker\n`, "k.yaml:4: "],
  ["a list", "[]\n", "k.yaml:1: the document: "],
])("rejects %s, with its place and what to do", (_name, text, message) => {
  expect(() => parseKindConfig(text, "k.yaml")).toThrow(message);
  expect(() => parseKindConfig(text, "k.yaml")).toThrow(
    "\nSee https://kind.sigs.k8s.io/docs/user/configuration/",
  );
});

it("reports a missing file", async () => {
  await expect(readKindConfig("/nowhere/k.yaml")).rejects.toMatchObject({
    problem: "file-missing",
    message: expect.stringMatching(/^\/nowhere\/k.yaml cannot be read: there is no such file\n/),
  });
});
