import { isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import { ensureObject, objectsOf, setDefault } from "../../set-default.ts";

/**
 * Sets the defaults of a core/v1 Service (SetDefaults_Service). The strategy allocates addresses and node
 * ports.
 */
export function defaultService(service: JsonObject): void {
  const spec = ensureObject(service, "spec");
  setDefault(spec, "sessionAffinity", "None");
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === "ClientIP") {
    setDefault(
      ensureObject(ensureObject(spec, "sessionAffinityConfig"), "clientIP"),
      "timeoutSeconds",
      10_800,
    );
  }
  setDefault(spec, "type", "ClusterIP");
  for (const port of objectsOf(spec.ports)) {
    setDefault(port, "protocol", "TCP");
    if ((port.targetPort === undefined || port.targetPort === 0 || port.targetPort === "") && port.port) {
      port.targetPort = port.port;
    }
  }
  const external = Array.isArray(spec.externalIPs) && spec.externalIPs.length > 0;
  const exposed = spec.type === "NodePort" || spec.type === "LoadBalancer";
  if (exposed || (spec.type === "ClusterIP" && external)) {
    setDefault(spec, "externalTrafficPolicy", "Cluster");
  }
  if (exposed || spec.type === "ClusterIP") setDefault(spec, "internalTrafficPolicy", "Cluster");
  if (spec.type !== "LoadBalancer") return;
  setDefault(spec, "allocateLoadBalancerNodePorts", true);
  const status = isJsonObject(service.status) ? service.status : {};
  const loadBalancer = isJsonObject(status.loadBalancer) ? status.loadBalancer : {};
  for (const ingress of objectsOf(loadBalancer.ingress)) {
    if (ingress.ip) setDefault(ingress, "ipMode", "VIP");
  }
}
