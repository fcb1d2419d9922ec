import { isIP } from "node:net";
import type { StatusCause } from "../errors.ts";
import type { ApiObject, JsonObject } from "../json.ts";
import { duplicate, forbidden, invalid, notSupported, required } from "./cause.ts";
import { isDns1123Label, isDns1123Subdomain } from "./names.ts";
import { validateLabels } from "./object-meta.ts";
import { labels, objects, text } from "./read.ts";
import { oneOf, portNumber, portNumberOrName } from "./rules.ts";

/** core/v1 Service. */
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
  return causes;
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
    return causes;
  });
}

/** How a real server's message shows a port that is there twice. */
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
