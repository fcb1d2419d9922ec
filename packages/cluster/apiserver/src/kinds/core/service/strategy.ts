import { isIP } from "node:net";
import { invalid, type StatusCause } from "../../../apimachinery/errors.ts";
import { invalid as invalidField } from "../../../apimachinery/validation/cause.ts";
import { type ApiObject, isJsonObject, type JsonObject, type JsonValue } from "../../../lib/json/json.ts";
import type { Strategy, StrategyContext } from "../../../server/registry/strategy.ts";

/** 10.96.0.0/16, the default of kind. 10.96.0.1 is the API server. */
const clusterIpPrefix = "10.96.";
const nodePorts = { first: 30_000, last: 32_767 };

export const serviceStrategy: Strategy = {
  returnsDeleted: true,
  createOnUpdate: true,
  initialStatus: () => ({ loadBalancer: {} }),
  prepareForCreate(draft, context) {
    allocate(draft, undefined, context);
  },
  prepareForUpdate(draft, old, context, subresource) {
    if (subresource === "status") return;
    dropTypeDependentFields(draft, old);
    allocate(draft, old, context);
  },
  afterWaiting(draft, old, context) {
    const wanted = requestedSpecs.get(draft);
    if (wanted === undefined || !collides(draft, context)) return;
    draft.spec = wanted;
    allocate(draft, old, context);
  },
};

/** The spec of each draft before anything was allocated. */
const requestedSpecs = new WeakMap<ApiObject, JsonObject>();

/** Allocates cluster IPs and node ports: those that the client requested or had, otherwise free ones. */
function allocate(service: ApiObject, old: ApiObject | undefined, context: StrategyContext): void {
  const requested: JsonObject = isJsonObject(service.spec) ? service.spec : {};
  const spec = { ...requested };
  const before: JsonObject = isJsonObject(old?.spec) ? old.spec : {};
  service.spec = spec;
  if (spec.type === "ExternalName") {
    for (const field of ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy"])
      delete spec[field];
    return;
  }
  requestedSpecs.set(service, requested);
  const others = otherServices(context, service);
  const wanted = spec.clusterIP || before.clusterIP;
  const clusterIP = wanted || freeAddress(others, context.random);
  // Validation rejects texts that are no address.
  if (typeof wanted === "string" && isIP(wanted) !== 0 && wanted !== before.clusterIP) {
    const problem = addressProblem(wanted, others);
    if (problem !== undefined) throw invalid("", "Service", service.metadata.name ?? "", [problem]);
  }
  spec.clusterIP = clusterIP;
  spec.clusterIPs = [clusterIP];
  // A Service without a selector has endpoints from another source, of any IP family.
  const anyFamily = clusterIP === "None" && spec.selector === undefined;
  spec.ipFamilies ??= anyFamily ? ["IPv4", "IPv6"] : ["IPv4"];
  spec.ipFamilyPolicy ??= anyFamily ? "RequireDualStack" : "SingleStack";
  if (needsHealthCheckPort(spec) && !spec.healthCheckNodePort)
    spec.healthCheckNodePort =
      before.healthCheckNodePort || freeNodePort(takenNodePorts([...others, spec]), context.random);
  if (needsNodePorts(spec))
    allocateNodePorts(service.metadata.name ?? "", spec, before, others, context.random);
}

/** Returns whether another Service has taken what was allocated to the draft. */
function collides(service: ApiObject, context: StrategyContext): boolean {
  const spec = service.spec as JsonObject;
  const others = otherServices(context, service);
  const { clusterIP } = spec;
  if (clusterIP !== "None" && others.some((other) => other.clusterIP === clusterIP)) return true;
  const takenPorts = takenNodePorts(others);
  return [...takenNodePorts([spec])].some((port) => port !== undefined && takenPorts.has(port));
}

function otherServices(context: StrategyContext, service: ApiObject): JsonObject[] {
  const key = `${service.metadata.namespace}/${service.metadata.name}`;
  return context.store
    .range("services")
    .filter((stored) => stored.key !== key)
    .map(({ object }) => object.spec as JsonObject);
}

/** Returns why a Service cannot get the address that it requests. */
function addressProblem(address: string, others: JsonObject[]): StatusCause | undefined {
  if (isIP(address) === 6) {
    return invalidField("spec.clusterIPs[0]", [address], "IPv6 is not configured on this cluster");
  }
  const cause = (why: string) =>
    invalidField("spec.clusterIPs", [address], `failed to allocate IP ${address}: ${why}`);
  // The first and the last address stand for the network itself and its broadcasts.
  const reserved = [`${clusterIpPrefix}0.0`, `${clusterIpPrefix}255.255`];
  if (!address.startsWith(clusterIpPrefix) || reserved.includes(address)) {
    return cause("the provided network does not match the current range");
  }
  if (others.some(({ clusterIP }) => clusterIP === address)) return cause("provided IP is already allocated");
  return undefined;
}

function freeAddress(others: JsonObject[], random: () => number): string {
  const taken = new Set(others.map(({ clusterIP }) => clusterIP));
  for (;;) {
    // Like a real allocator, keeps 10.96.0.0–10.96.0.255 for Services that request an address.
    const number = 256 + Math.floor(random() * (65_535 - 256));
    const address = `${clusterIpPrefix}${number >> 8}.${number & 255}`;
    if (!taken.has(address)) return address;
  }
}

function allocateNodePorts(
  name: string,
  spec: JsonObject,
  before: JsonObject,
  others: JsonObject[],
  random: () => number,
): void {
  const ports = portsOf(spec);
  const known = new Map(portsOf(before).map((port) => [portKey(port), port.nodePort]));
  const takenPorts = takenNodePorts(others);
  const taken = takenNodePorts([...others, spec]);
  // One port number of several protocols, such as that of DNS, has one node port.
  const isNew = before.type === undefined;
  const byPort = new Map(
    isNew ? ports.filter(({ nodePort }) => nodePort).map(({ port, nodePort }) => [port, nodePort]) : [],
  );
  spec.ports = ports.map((port, index) => {
    if (port.nodePort) {
      const earlier = ports.slice(0, index).filter(({ nodePort }) => nodePort === port.nodePort);
      const isRepeated = isNew && earlier.some((other) => other.port !== port.port);
      const problem = isRepeated ? alreadyAllocated : nodePortProblem(port.nodePort, takenPorts);
      if (problem === undefined) return port;
      throw invalid("", "Service", name, [
        invalidField(`spec.ports[${index}].nodePort`, port.nodePort, problem),
      ]);
    }
    const nodePort = known.get(portKey(port)) || byPort.get(port.port) || freeNodePort(taken, random);
    taken.add(nodePort);
    if (isNew) byPort.set(port.port, nodePort);
    return { ...port, nodePort };
  });
}

function takenNodePorts(specs: JsonObject[]): Set<JsonValue | undefined> {
  const ports = specs.flatMap(portsOf).map(({ nodePort }) => nodePort);
  return new Set([...ports, ...specs.map(({ healthCheckNodePort }) => healthCheckNodePort)]);
}

function freeNodePort(taken: Set<JsonValue | undefined>, random: () => number): number {
  for (;;) {
    const candidate = nodePorts.first + Math.floor(random() * (nodePorts.last - nodePorts.first + 1));
    if (!taken.has(candidate)) return candidate;
  }
}

const alreadyAllocated = "provided port is already allocated";

function nodePortProblem(nodePort: JsonValue, takenPorts: Set<JsonValue | undefined>): string | undefined {
  const { first, last } = nodePorts;
  if (Number(nodePort) < first || Number(nodePort) > last) {
    return `provided port is not in the valid range. The range of valid ports is ${first}-${last}`;
  }
  return takenPorts.has(nodePort) ? alreadyAllocated : undefined;
}

function portKey(port: JsonObject): string {
  return `${String(port.protocol ?? "TCP")}/${String(port.port)}`;
}

function portsOf(spec: JsonObject): JsonObject[] {
  return Array.isArray(spec.ports) ? spec.ports.filter(isJsonObject) : [];
}

const isBalanced = ({ type }: JsonObject) => type === "LoadBalancer";

/** Returns whether this type of Service has a port on every node. */
function needsNodePorts(spec: JsonObject): boolean {
  return spec.type === "NodePort" || (isBalanced(spec) && spec.allocateLoadBalancerNodePorts !== false);
}

/** Returns whether a load balancer asks each node if it has its own endpoints. */
function needsHealthCheckPort(spec: JsonObject): boolean {
  return isBalanced(spec) && spec.externalTrafficPolicy === "Local";
}

/**
 * Drops what the server has set for the old type, so that changing `type` alone is enough
 * (dropTypeDependentFields). Fields that the client changes in the same request stay, and validation checks
 * them.
 */
function dropTypeDependentFields(service: ApiObject, old: ApiObject): void {
  if (!isJsonObject(service.spec) || !isJsonObject(old.spec)) return;
  const before = old.spec;
  const spec: JsonObject = { ...service.spec };
  service.spec = spec;
  const drop = (field: string, condition: boolean) => {
    if (condition && same(spec[field], before[field])) delete spec[field];
  };
  const hadNodePorts = before.type === "NodePort" || isBalanced(before);
  const has = spec.type === "NodePort" || isBalanced(spec);
  if (hadNodePorts && !has && same(nodePortsOf(spec), nodePortsOf(before))) {
    spec.ports = portsOf(spec).map(({ nodePort: _, ...port }) => port);
  }
  drop("healthCheckNodePort", needsHealthCheckPort(before) && !needsHealthCheckPort(spec));
  drop("allocateLoadBalancerNodePorts", isBalanced(before) && !isBalanced(spec));
  drop("loadBalancerClass", isBalanced(before) && !isBalanced(spec));
  const external = (one: JsonObject) => Array.isArray(one.externalIPs) && one.externalIPs.length > 0;
  drop("externalTrafficPolicy", (hadNodePorts || external(before)) && !has && !external(spec));
  if (!isBalanced(spec) && isJsonObject(service.status))
    service.status = { ...service.status, loadBalancer: {} };
}

function nodePortsOf(spec: JsonObject) {
  return portsOf(spec)
    .map(({ nodePort }) => nodePort ?? 0)
    .sort();
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
