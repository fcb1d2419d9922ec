import { isIP } from "node:net";
import type { StatusCause } from "../../../apimachinery/errors.ts";
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/validation/cause.ts";
import { validateLabels } from "../../../apimachinery/validation/object-meta.ts";
import {
  oneOf,
  portNumber,
  portNumberOrName,
  validateCidr,
  validateEndpointIp,
  validateIp,
} from "../../../apimachinery/validation/rules.ts";
import { isDns1123Label, isDns1123Subdomain } from "../../../lib/formats/names.ts";
import type { ApiObject, JsonObject } from "../../../lib/json/json.ts";
import { labels, object, objects, text, texts } from "../../../lib/json/read.ts";

/** Validates a core/v1 Service. */
export function validateService(service: ApiObject, old?: ApiObject): StatusCause[] {
  const spec = (service.spec ?? {}) as JsonObject;
  const before = (old?.spec ?? {}) as JsonObject;
  const isHeadless = spec.clusterIP === "None";
  const causes: StatusCause[] = [];
  if (!objects(spec.ports).length && !isHeadless && spec.type !== "ExternalName") {
    causes.push(required("spec.ports"));
  }
  causes.push(...validateType(spec), ...validateServicePorts(spec));
  causes.push(...validateLabels(labels(spec.selector), "spec.selector"));
  causes.push(...oneOf(spec.sessionAffinity, "spec.sessionAffinity", ["ClientIP", "None"]));
  for (const key of ["externalTrafficPolicy", "internalTrafficPolicy"]) {
    if (spec[key] !== undefined) causes.push(...oneOf(spec[key], `spec.${key}`, ["Cluster", "Local"]));
  }
  const clusterIP = text(spec.clusterIP);
  if (clusterIP !== "" && !isHeadless && isIP(clusterIP) === 0) {
    const detail = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
    causes.push(invalid("spec.clusterIPs[0]", clusterIP, detail));
  }
  const keepsAddress = before.type !== "ExternalName" && spec.type !== "ExternalName";
  if (keepsAddress && before.clusterIP && clusterIP !== before.clusterIP) {
    causes.push(invalid("spec.clusterIPs[0]", [clusterIP], "may not change once set"));
  }
  return [...causes, ...validateTraffic(spec), ...validateFamilies(spec)];
}

/** Validates the IP families. This cluster has only IPv4. */
function validateFamilies(spec: JsonObject): StatusCause[] {
  // A Service without a selector has endpoints from another source, of any IP family.
  const anyFamily = spec.clusterIP === "None" && spec.selector === undefined;
  const causes = texts(spec.ipFamilies).flatMap((family, index) =>
    family === "IPv4" || anyFamily
      ? []
      : [invalid(`spec.ipFamilies[${index}]`, family, "not configured on this cluster")],
  );
  const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
  const { ipFamilyPolicy: policy } = spec;
  const isKnown = policy === undefined || policies.includes(text(policy));
  return isKnown ? causes : [...causes, notSupported("spec.ipFamilyPolicy", policy, policies)];
}

/** Validates external addresses, and how their traffic is balanced. */
function validateTraffic(spec: JsonObject): StatusCause[] {
  const causes = texts(spec.externalIPs).flatMap((address, index) =>
    validateEndpointIp(address, `spec.externalIPs[${index}]`),
  );
  texts(spec.loadBalancerSourceRanges).forEach((range, index) => {
    causes.push(...validateCidr(range.trim(), `spec.LoadBalancerSourceRanges[${index}]`));
  });
  if (spec.sessionAffinity === "ClientIP") {
    const { timeoutSeconds: seconds } = object(object(spec.sessionAffinityConfig).clientIP);
    if (typeof seconds === "number" && (seconds <= 0 || seconds > 86_400)) {
      const detail = "must be greater than 0 and less than 86400";
      causes.push(invalid("spec.sessionAffinityConfig.clientIP.timeoutSeconds", seconds, detail));
    }
  }
  const isExternal =
    spec.type === "NodePort" || spec.type === "LoadBalancer" || texts(spec.externalIPs).length > 0;
  if (spec.externalTrafficPolicy !== undefined && !isExternal) {
    const detail = "may only be set for externally-accessible services";
    causes.push(invalid("spec.externalTrafficPolicy", spec.externalTrafficPolicy, detail));
  }
  return causes;
}

/** Validates the status that a load balancer writes. */
export function validateServiceStatus(service: ApiObject): StatusCause[] {
  const ingresses = objects(object(object(service.status).loadBalancer).ingress);
  if (object(service.spec).type !== "LoadBalancer" && ingresses.length > 0)
    return [forbidden("status.loadBalancer.ingress", "may only be used when `spec.type` is 'LoadBalancer'")];
  return ingresses.flatMap((ingress, index) => {
    const path = `status.loadBalancer.ingress[${index}]`;
    const { ip, hostname } = ingress;
    return [
      ...(ip ? validateIp(text(ip), `${path}.ip`) : []),
      ...validateIpMode(ingress, `${path}.ipMode`),
      ...(hostname
        ? isDns1123Subdomain(text(hostname)).map((error) => invalid(`${path}.hostname`, hostname, error))
        : []),
      ...(isIP(text(hostname)) === 0
        ? []
        : [invalid(`${path}.hostname`, hostname, "must be a DNS name, not an IP address")]),
    ];
  });
}

function validateIpMode({ ip, ipMode }: JsonObject, path: string): StatusCause[] {
  if (ipMode === undefined) return ip ? [required(path, "must be specified when `ip` is set")] : [];
  if (!ip) return [forbidden(path, "may not be specified when `ip` is not set")];
  return oneOf(ipMode, path, ["Proxy", "VIP"]);
}

const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];

function validateType(spec: JsonObject): StatusCause[] {
  if (!types.includes(text(spec.type))) return oneOf(spec.type, "spec.type", types);
  if (spec.type !== "ExternalName") return [];
  const name = text(spec.externalName).replace(/\.$/, "");
  if (spec.externalName === undefined || name === "") return [required("spec.externalName")];
  return isDns1123Subdomain(name).map((error) => invalid("spec.externalName", name, error));
}

function validateServicePorts(spec: JsonObject): StatusCause[] {
  const ports = objects(spec.ports);
  const names = new Set<string>();
  const taken = new Set<string>();
  const nodePorts = new Set<string>();
  return ports.flatMap((port, index) => {
    const inner = `spec.ports[${index}]`;
    const causes: StatusCause[] = [];
    const name = text(port.name);
    if (name === "" && ports.length > 1) causes.push(required(`${inner}.name`));
    if (name !== "") {
      causes.push(...isDns1123Label(name).map((error) => invalid(`${inner}.name`, name, error)));
      if (names.has(name)) causes.push(duplicate(`${inner}.name`, name));
      names.add(name);
    }
    causes.push(...portNumber(port.port, `${inner}.port`));
    if (!["SCTP", "TCP", "UDP"].includes(text(port.protocol))) {
      causes.push(notSupported(`${inner}.protocol`, port.protocol, ["SCTP", "TCP", "UDP"]));
    }
    causes.push(...portNumberOrName(port.targetPort ?? port.port, `${inner}.targetPort`));
    if (port.nodePort && (spec.type === "ClusterIP" || spec.type === "ExternalName")) {
      causes.push(forbidden(`${inner}.nodePort`, `may not be used when \`type\` is '${spec.type}'`));
    }
    const key = `${text(port.protocol)}/${String(port.port)}`;
    if (taken.has(key)) causes.push(duplicate(inner, internalPort(port)));
    taken.add(key);
    const nodePort = `${text(port.protocol)}/${String(port.nodePort)}`;
    if (port.nodePort && nodePorts.has(nodePort)) causes.push(duplicate(`${inner}.nodePort`, port.nodePort));
    nodePorts.add(nodePort);
    return causes;
  });
}

/** Returns a duplicate port as a real server's message shows it. */
function internalPort(port: JsonObject): JsonObject {
  return {
    Name: "",
    Protocol: port.protocol ?? "",
    AppProtocol: null,
    Port: port.port ?? 0,
    TargetPort: 0,
    NodePort: 0,
  };
}
