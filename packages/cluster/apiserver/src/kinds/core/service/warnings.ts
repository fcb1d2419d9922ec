import type { ApiObject } from "../../../lib/json/json.ts";
import { object, text, texts } from "../../../lib/json/read.ts";

/**
 * Returns warnings about fields of a Service that have no effect (k8s.io/kubernetes/pkg/api/service). Does
 * not check for IPs in old formats.
 */
export function warnOfService({ metadata, spec: value }: ApiObject): string[] {
  const spec = object(value);
  const type = text(spec.type);
  const headless = type === "ClusterIP" && spec.clusterIP === "None";
  const external = texts(spec.externalIPs).length > 0;
  const warnings: string[] = [];
  if (metadata.annotations?.["service.kubernetes.io/topology-aware-hints"] !== undefined) {
    warnings.push(
      "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead",
    );
  }
  if (headless) {
    if (text(spec.loadBalancerIP) !== "")
      warnings.push("spec.loadBalancerIP is ignored for headless services");
    if (external) warnings.push("spec.externalIPs is ignored for headless services");
    if (text(spec.sessionAffinity) !== "None")
      warnings.push("spec.SessionAffinity is ignored for headless services");
  }
  if (external && !headless && type !== "ExternalName") {
    warnings.push("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  }
  if (external && type === "ExternalName") {
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (text(spec.externalName) !== "" && type !== "ExternalName") {
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (spec.trafficDistribution === "PreferClose") {
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return warnings;
}
