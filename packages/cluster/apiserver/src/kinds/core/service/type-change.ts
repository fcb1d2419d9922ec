import { type ApiObject, isJsonObject, type JsonObject } from "../../../lib/json/json.ts";

const isBalanced = ({ type }: JsonObject) => type === "LoadBalancer";

/** Whether the type of Service has ports on every node. */
export function needsNodePorts(spec: JsonObject): boolean {
  return spec.type === "NodePort" || (isBalanced(spec) && spec.allocateLoadBalancerNodePorts !== false);
}

/** Whether a load balancer asks each node if it has endpoints of its own. */
export function needsHealthCheckPort(spec: JsonObject): boolean {
  return isBalanced(spec) && spec.externalTrafficPolicy === "Local";
}

/**
 * Drops what the server itself has filled in for the old type, so that changing `type` alone is enough
 * (dropTypeDependentFields). What the client changed at the same time is left for the validation.
 */
export function dropTypeDependentFields(service: ApiObject, old: ApiObject): void {
  if (!isJsonObject(service.spec) || !isJsonObject(old.spec)) return;
  const before = old.spec;
  const spec: JsonObject = { ...service.spec };
  service.spec = spec;
  const drop = (field: string, condition: boolean) => {
    if (condition && same(spec[field], before[field])) delete spec[field];
  };
  const had = before.type === "NodePort" || isBalanced(before);
  const has = spec.type === "NodePort" || isBalanced(spec);
  if (had && !has && same(nodePortsOf(spec), nodePortsOf(before))) {
    spec.ports = portsOf(spec).map(({ nodePort: _, ...port }) => port);
  }
  drop("healthCheckNodePort", needsHealthCheckPort(before) && !needsHealthCheckPort(spec));
  drop("allocateLoadBalancerNodePorts", isBalanced(before) && !isBalanced(spec));
  drop("loadBalancerClass", isBalanced(before) && !isBalanced(spec));
  const external = (one: JsonObject) => Array.isArray(one.externalIPs) && one.externalIPs.length > 0;
  drop("externalTrafficPolicy", (had || external(before)) && !has && !external(spec));
  if (!isBalanced(spec) && isJsonObject(service.status))
    service.status = { ...service.status, loadBalancer: {} };
}

function nodePortsOf(spec: JsonObject) {
  return portsOf(spec)
    .map(({ nodePort }) => nodePort ?? 0)
    .sort();
}

function portsOf({ ports }: JsonObject): JsonObject[] {
  return Array.isArray(ports) ? ports.filter(isJsonObject) : [];
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
