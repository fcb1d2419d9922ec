import type { JsonObject } from "../../../lib/json/json.ts";
import { type Exchange, namespace } from "../exchange.ts";
import { configMap, mergePatch, paths, service } from "../objects.ts";

const {
  configMaps,
  secrets,
  services,
  namespaces,
  nodes,
  events,
  leases,
  serviceAccounts,
  roles,
  roleBindings,
} = paths;
const create = (name: string, path: string, body: JsonObject): Exchange => ({ name, path, body });
const change = (name: string, path: string, old: JsonObject, body: JsonObject): Exchange => ({
  name,
  method: "PATCH",
  path: `${path}/a`,
  contentType: mergePatch,
  body,
  given: [{ path, body: old }],
});
const secret = (more: JsonObject = {}): JsonObject => ({ metadata: { name: "a" }, ...more });
const event = (more: JsonObject = {}): JsonObject => ({
  metadata: { name: "a" },
  involvedObject: { kind: "Pod", namespace, name: "p" },
  reason: "Testing",
  message: "m",
  type: "Normal",
  ...more,
});
const node = (more: JsonObject = {}): JsonObject => ({ metadata: { name: "node-a" }, ...more });
const lease = (spec: JsonObject = {}): JsonObject => ({ metadata: { name: "a" }, spec });
const binding = (roleRef: JsonObject, subject: JsonObject): JsonObject => ({
  metadata: { name: "a" },
  roleRef,
  subjects: [subject],
});
const role = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" };
const mebi = 1024 * 1024;

export const others: Exchange[] = [
  create("ConfigMap", configMaps, configMap({ "a.b-c_D": "x" })),
  create("ConfigMap: empty", configMaps, { metadata: { name: "a" } }),
  create("ConfigMap: bad key", configMaps, configMap({ "a b": "x" })),
  create("ConfigMap: key ..a", configMaps, configMap({ "..a": "x" })),
  create("ConfigMap: key too long", configMaps, configMap({ ["a".repeat(254)]: "x" })),
  create("ConfigMap: key in both", configMaps, { ...configMap({ x: "y" }), binaryData: { x: "eA==" } }),
  create("ConfigMap: too large", configMaps, configMap({ x: "y".repeat(mebi + 1) })),
  create("Secret: text", secrets, secret({ stringData: { a: "b" }, data: { a: "eA==", c: "ZA==" } })),
  create("Secret: bad key", secrets, secret({ data: { "a b": "eA==" } })),
  create("Secret: too large", secrets, secret({ stringData: { x: "y".repeat(mebi + 1) } })),
  create(
    "Secret: docker configuration",
    secrets,
    secret({ type: "kubernetes.io/dockerconfigjson", stringData: { a: "b" } }),
  ),
  create(
    "Secret: docker configuration that is not JSON",
    secrets,
    secret({ type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "nope" } }),
  ),
  create("Secret: TLS", secrets, secret({ type: "kubernetes.io/tls" })),
  change("Secret: immutable", secrets, secret({ immutable: true, stringData: { a: "b" } }), {
    data: { a: "eA==" },
  }),
  change("Secret: another type", secrets, secret(), { type: "Foo" }),
  create("Service", services, service()),
  create(
    "Service: named ports",
    services,
    service({
      ports: [
        { port: 80, name: "a", targetPort: "web" },
        { port: 443, name: "b", protocol: "UDP" },
      ],
    }),
  ),
  create("Service: headless", services, service({ clusterIP: "None", ports: null })),
  create("Service: no ports", services, service({ ports: [] })),
  create("Service: type", services, service({ type: "Foo" })),
  create("Service: two ports without names", services, service({ ports: [{ port: 80 }, { port: 81 }] })),
  create(
    "Service: duplicate name",
    services,
    service({
      ports: [
        { port: 80, name: "a" },
        { port: 81, name: "a" },
      ],
    }),
  ),
  create(
    "Service: duplicate port",
    services,
    service({
      ports: [
        { port: 80, name: "a" },
        { port: 80, name: "b" },
      ],
    }),
  ),
  create("Service: port 0", services, service({ ports: [{ port: 0 }] })),
  create("Service: port too large", services, service({ ports: [{ port: 70000, targetPort: 70000 }] })),
  create("Service: protocol", services, service({ ports: [{ port: 80, protocol: "ICMP" }] })),
  create("Service: name of a port", services, service({ ports: [{ port: 80, name: "A_" }] })),
  create("Service: target port", services, service({ ports: [{ port: 80, targetPort: "A_" }] })),
  create("Service: selector", services, service({ selector: { "a b": "c d" } })),
  create("Service: session affinity", services, service({ sessionAffinity: "Foo" })),
  create("Service: session affinity by client", services, service({ sessionAffinity: "ClientIP" })),
  create("Service: external name", services, {
    metadata: { name: "a" },
    spec: { type: "ExternalName", externalName: "ex.io" },
  }),
  create("Service: no external name", services, { metadata: { name: "a" }, spec: { type: "ExternalName" } }),
  create("Service: cluster IP", services, service({ clusterIP: "nope" })),
  create("Service: load balancer", services, service({ type: "LoadBalancer" })),
  create("Service: node port of a ClusterIP", services, service({ ports: [{ port: 80, nodePort: 30080 }] })),
  create(
    "Service: externalTrafficPolicy",
    services,
    service({ type: "NodePort", externalTrafficPolicy: "Foo" }),
  ),
  create("Namespace", `${namespaces}?dryRun=All`, { metadata: { name: "recorded-dry" } }),
  create(
    "Node",
    nodes,
    node({
      spec: { podCIDR: "10.1.0.0/24", podCIDRs: ["10.1.0.0/24"] },
      status: { capacity: { cpu: "4", memory: "8Gi", pods: "110" } },
    }),
  ),
  create(
    "Node: taints",
    nodes,
    node({
      spec: {
        taints: [
          { key: "a b", effect: "Foo" },
          { key: "x", effect: "NoSchedule" },
          { key: "x", effect: "NoSchedule" },
        ],
      },
    }),
  ),
  create("Node: podCIDR", nodes, node({ spec: { podCIDR: "nope", podCIDRs: ["nope"] } })),
  create("Event", events, event()),
  create(
    "Event: another namespace",
    events,
    event({ involvedObject: { kind: "Pod", namespace: "other", name: "p" } }),
  ),
  create("Event: no involved object", events, event({ involvedObject: {} })),
  create(
    "Event: reporting controller, new style",
    events,
    event({ eventTime: "2026-01-01T00:00:00.000000Z" }),
  ),
  create(
    "Lease",
    leases,
    lease({
      holderIdentity: "a",
      leaseDurationSeconds: 15,
      renewTime: "2026-01-01T00:00:00.123456Z",
      leaseTransitions: 0,
    }),
  ),
  create("Lease: empty holder", leases, lease({ holderIdentity: "" })),
  create("ServiceAccount", serviceAccounts, {
    metadata: { name: "a" },
    secrets: [{ name: "s" }],
    imagePullSecrets: [{ name: "p" }],
  }),
  create("Role", roles, {
    metadata: { name: "a" },
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  }),
  create("Role: rules with few fields", roles, { metadata: { name: "a" }, rules: [{}] }),
  create("Role: without verbs", roles, {
    metadata: { name: "a" },
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: [] }],
  }),
  create("Role: non-resource", roles, {
    metadata: { name: "a" },
    rules: [{ nonResourceURLs: ["/x"], verbs: ["get"] }],
  }),
  create("RoleBinding", roleBindings, binding(role, { kind: "ServiceAccount", name: "default", namespace })),
  create(
    "RoleBinding: user",
    roleBindings,
    binding({ kind: "Role", name: "r" }, { kind: "User", name: "u" }),
  ),
  create("RoleBinding: kind", roleBindings, binding({ ...role, kind: "Foo" }, { kind: "User", name: "u" })),
  create("RoleBinding: no name", roleBindings, binding({ ...role, name: "" }, { kind: "User", name: "" })),
  create("RoleBinding: subject", roleBindings, binding(role, { kind: "Foo", name: "u" })),
  create(
    "RoleBinding: account without a namespace",
    roleBindings,
    binding(role, { kind: "ServiceAccount", name: "u" }),
  ),
  change("RoleBinding: another role", roleBindings, binding(role, { kind: "User", name: "u" }), {
    roleRef: { name: "q" },
  }),
];
