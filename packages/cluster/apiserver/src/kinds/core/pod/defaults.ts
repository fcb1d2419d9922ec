import { isJsonObject, type JsonObject, type JsonValue } from "../../../lib/json/json.ts";
import { ensureObject, objectsOf, setDefault } from "../../set-default.ts";

/** Sets the defaults of a core/v1 Pod that a Pod template does not have (SetDefaults_Pod). */
export function defaultPod(pod: JsonObject): void {
  const spec = ensureObject(pod, "spec");
  for (const list of ["initContainers", "containers"]) {
    for (const container of objectsOf(spec[list])) defaultRequestsToLimits(container);
  }
  setDefault(spec, "enableServiceLinks", true);
  defaultPodSpec(spec);
}

/** Sets the missing requests of a container to its limits. */
function defaultRequestsToLimits(container: JsonObject): void {
  const { resources } = container;
  if (!isJsonObject(resources) || !isJsonObject(resources.limits)) return;
  resources.requests = {
    ...resources.limits,
    ...(isJsonObject(resources.requests) ? resources.requests : {}),
  };
}

/** Sets the defaults of a core/v1 PodSpec, in a Pod or a template (SetDefaults_PodSpec). */
function defaultPodSpec(spec: JsonObject): void {
  setDefault(spec, "dnsPolicy", "ClusterFirst");
  setDefault(spec, "restartPolicy", "Always");
  setDefault(spec, "securityContext", {});
  setDefault(spec, "terminationGracePeriodSeconds", 30);
  setDefault(spec, "schedulerName", "default-scheduler");
  // The deprecated name of the field mirrors the new one.
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

/** Sets the defaults of a core/v1 PodTemplateSpec. */
export function defaultPodTemplate(template: unknown): void {
  if (isJsonObject(template) && isJsonObject(template.spec)) defaultPodSpec(template.spec);
}

/**
 * Sets the defaults of a core/v1 Container or EphemeralContainer (SetDefaults_Container, _Probe,
 * _HTTPGetAction).
 */
function defaultContainer(container: JsonObject): void {
  setDefault(container, "imagePullPolicy", pullPolicyFor(container.image));
  setDefault(container, "terminationMessagePath", "/dev/termination-log");
  setDefault(container, "terminationMessagePolicy", "File");
  for (const port of objectsOf(container.ports)) setDefault(port, "protocol", "TCP");
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    const probe = container[name];
    if (isJsonObject(probe)) defaultProbe(probe);
  }
  if (isJsonObject(container.lifecycle)) {
    for (const name of ["postStart", "preStop"]) {
      const handler = container.lifecycle[name];
      if (isJsonObject(handler)) defaultHandler(handler);
    }
  }
  for (const variable of objectsOf(container.env)) {
    if (variable.value === "") delete variable.value;
    const source = variable.valueFrom;
    if (isJsonObject(source) && isJsonObject(source.fieldRef)) {
      setDefault(source.fieldRef, "apiVersion", "v1");
    }
  }
}

function defaultProbe(probe: JsonObject): void {
  const defaults = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  for (const [key, value] of Object.entries(defaults)) {
    if (probe[key] === undefined || probe[key] === 0) probe[key] = value;
  }
  defaultHandler(probe);
}

function defaultHandler(handler: JsonObject): void {
  if (isJsonObject(handler.httpGet)) {
    setDefault(handler.httpGet, "path", "/");
    setDefault(handler.httpGet, "scheme", "HTTP");
  }
  if (isJsonObject(handler.grpc) && handler.grpc.service === undefined) handler.grpc.service = "";
}

/**
 * Returns the default imagePullPolicy. An image without a tag, or with `latest`, is always pulled. A digest
 * is exact and needs no tag.
 */
export function pullPolicyFor(image: JsonValue | undefined): "Always" | "IfNotPresent" {
  const reference = typeof image === "string" ? image : "";
  if (reference.includes("@")) return "IfNotPresent";
  const name = reference.slice(reference.lastIndexOf("/") + 1);
  const tag = name.includes(":") ? name.slice(name.indexOf(":") + 1) : "latest";
  // An image name that cannot be parsed has no tag, and fails elsewhere.
  const parsed = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*$/.test(name.split(":")[0] ?? "");
  return parsed && tag === "latest" ? "Always" : "IfNotPresent";
}

/** Default mode of files from a ConfigMap, a Secret and other sources: 0644. */
const fileMode = 0o644;

/** Sets the defaults of a core/v1 Volume. A volume without a source is an empty directory. */
function defaultVolume(volume: JsonObject): void {
  if (Object.keys(volume).every((key) => key === "name")) volume.emptyDir = {};
  for (const kind of ["secret", "configMap", "downwardAPI", "projected"]) {
    const source = volume[kind];
    if (!isJsonObject(source)) continue;
    setDefault(source, "defaultMode", fileMode);
    defaultItems(source);
    for (const projection of objectsOf(source.sources)) defaultProjection(projection);
  }
  const { hostPath, image, iscsi, rbd, azureDisk, scaleIO, ephemeral } = volume;
  if (isJsonObject(hostPath) && hostPath.type === undefined) hostPath.type = "";
  if (isJsonObject(image)) setDefault(image, "pullPolicy", pullPolicyFor(image.reference));
  if (isJsonObject(iscsi)) setDefault(iscsi, "iscsiInterface", "default");
  if (isJsonObject(rbd)) {
    setDefault(rbd, "pool", "rbd");
    setDefault(rbd, "user", "admin");
    setDefault(rbd, "keyring", "/etc/ceph/keyring");
  }
  if (isJsonObject(azureDisk)) {
    setDefault(azureDisk, "cachingMode", "ReadWrite");
    setDefault(azureDisk, "kind", "Shared");
    setDefault(azureDisk, "fsType", "ext4");
    setDefault(azureDisk, "readOnly", false);
  }
  if (isJsonObject(scaleIO)) {
    setDefault(scaleIO, "storageMode", "ThinProvisioned");
    setDefault(scaleIO, "fsType", "xfs");
  }
  if (isJsonObject(ephemeral) && isJsonObject(ephemeral.volumeClaimTemplate)) {
    const { spec } = ephemeral.volumeClaimTemplate;
    if (isJsonObject(spec)) setDefault(spec, "volumeMode", "Filesystem");
  }
}

function defaultProjection(projection: JsonObject): void {
  const { serviceAccountToken, downwardAPI } = projection;
  if (isJsonObject(serviceAccountToken)) setDefault(serviceAccountToken, "expirationSeconds", 3600);
  if (isJsonObject(downwardAPI)) defaultItems(downwardAPI);
}

function defaultItems(source: JsonObject): void {
  for (const item of objectsOf(source.items)) {
    if (isJsonObject(item.fieldRef)) setDefault(item.fieldRef, "apiVersion", "v1");
  }
}
