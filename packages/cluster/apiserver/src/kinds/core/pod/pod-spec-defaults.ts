import { isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import { objectsOf, setDefault } from "../../set-default.ts";
import { defaultContainer } from "./container-defaults.ts";
import { defaultVolume } from "./volume-defaults.ts";

/** core/v1 PodSpec, wherever one stands: in a Pod or in a template (SetDefaults_PodSpec). */
export function defaultPodSpec(spec: JsonObject): void {
  setDefault(spec, "dnsPolicy", "ClusterFirst");
  setDefault(spec, "restartPolicy", "Always");
  setDefault(spec, "securityContext", {});
  setDefault(spec, "terminationGracePeriodSeconds", 30);
  setDefault(spec, "schedulerName", "default-scheduler");
  // The old name of the field follows the new one.
  if (typeof spec.serviceAccountName === "string") spec.serviceAccount = spec.serviceAccountName;
  else if (typeof spec.serviceAccount === "string") spec.serviceAccountName = spec.serviceAccount;
  for (const list of ["initContainers", "containers", "ephemeralContainers"]) {
    for (const container of objectsOf(spec[list])) defaultContainer(container);
  }
  for (const volume of objectsOf(spec.volumes)) defaultVolume(volume);
  if (spec.hostNetwork === true) defaultHostPorts(spec);
}

function defaultHostPorts(spec: JsonObject): void {
  for (const list of ["initContainers", "containers"]) {
    for (const container of objectsOf(spec[list])) {
      for (const port of objectsOf(container.ports)) {
        if (!port.hostPort && port.containerPort !== undefined) port.hostPort = port.containerPort;
      }
    }
  }
}

/** core/v1 PodTemplateSpec. */
export function defaultPodTemplate(template: unknown): void {
  if (isJsonObject(template) && isJsonObject(template.spec)) defaultPodSpec(template.spec);
}
