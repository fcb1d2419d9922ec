import type { StatusCause } from "../../../../apimachinery/errors.ts";
import {
  duplicate,
  forbidden,
  invalid,
  notFound,
  required,
} from "../../../../apimachinery/validation/cause.ts";
import { validateLabels } from "../../../../apimachinery/validation/object-meta.ts";
import { oneOf } from "../../../../apimachinery/validation/rules.ts";
import { isDns1123Label, isDns1123Subdomain } from "../../../../lib/formats/names.ts";
import { isJsonObject, type JsonObject } from "../../../../lib/json/json.ts";
import { labels, object, objects, text } from "../../../../lib/json/read.ts";
import {
  validateContainer,
  validateEphemeralFields,
  validateHooksAndProbes,
  validateHostPorts,
} from "./container.ts";
import { validatePodNetwork } from "./pod-network.ts";
import { validatePodSecurityContext } from "./pod-security.ts";
import { validateAffinity, validateTopologySpread } from "./scheduling.ts";
import { validateTolerations } from "./toleration.ts";
import { validateVolumes } from "./volume.ts";

/** Validates a core/v1 PodSpec, in a Pod or a template (ValidatePodSpec). */
export function validatePodSpec(spec: JsonObject, path: string): StatusCause[] {
  const volumes = new Set(objects(spec.volumes).map(({ name }) => text(name)));
  return [
    ...validateVolumes(spec.volumes, `${path}.volumes`),
    ...validateContainers(spec, volumes, path),
    ...validateInitContainers(spec, volumes, path),
    ...validateEphemeralContainers(spec, volumes, path),
    ...oneOf(spec.restartPolicy, `${path}.restartPolicy`, ["Always", "OnFailure", "Never"]),
    ...oneOf(spec.dnsPolicy, `${path}.dnsPolicy`, [
      "ClusterFirstWithHostNet",
      "ClusterFirst",
      "Default",
      "None",
    ]),
    ...validateLabels(labels(spec.nodeSelector), `${path}.nodeSelector`),
    ...validateHost(spec, path),
    ...validateNames(spec, path),
    ...validateTolerations(spec.tolerations, `${path}.tolerations`),
    ...validateDeadline(spec, path),
    ...validatePodNetwork(spec, path),
    ...validatePodSecurityContext(spec.securityContext, `${path}.securityContext`),
    ...validateAffinity(spec.affinity, `${path}.affinity`),
    ...validateTopologySpread(spec.topologySpreadConstraints, `${path}.topologySpreadConstraints`),
    ...(isJsonObject(spec.os) ? oneOf(spec.os.name, `${path}.os`, ["linux", "windows"]) : []),
  ];
}

function validateContainers(spec: JsonObject, volumes: ReadonlySet<string>, path: string): StatusCause[] {
  const containers = objects(spec.containers);
  if (containers.length === 0) return [required(`${path}.containers`)];
  const names = new Set<string>();
  return [
    ...containers.flatMap((container, index) => {
      const inner = `${path}.containers[${index}]`;
      return [
        ...validateContainer(container, volumes, inner),
        ...unique(container, names, inner),
        ...validateHooksAndProbes(container, inner),
        ...validateSleep(container, spec, inner),
      ];
    }),
    ...validateHostPorts(containers, `${path}.containers`),
  ];
}

/** Validates that a sleeping hook ends within the grace period. */
function validateSleep(container: JsonObject, spec: JsonObject, path: string): StatusCause[] {
  const grace = Number(spec.terminationGracePeriodSeconds ?? 30);
  return ["postStart", "preStop"].flatMap((hook) => {
    const { sleep } = object(object(container.lifecycle)[hook]);
    if (!isJsonObject(sleep)) return [];
    const seconds = Number(sleep.seconds ?? 0);
    if (seconds >= 0 && seconds <= grace) return [];
    const detail = `must be non-negative and less than terminationGracePeriodSeconds (${grace})`;
    return [invalid(`${path}.lifecycle.${hook}.sleep`, seconds, detail)];
  });
}

function validateInitContainers(spec: JsonObject, volumes: ReadonlySet<string>, path: string): StatusCause[] {
  const names = containerNames(spec, "containers");
  return objects(spec.initContainers).flatMap((container, index) => {
    const inner = `${path}.initContainers[${index}]`;
    const causes = [...validateContainer(container, volumes, inner), ...unique(container, names, inner)];
    // An init container with its own restartPolicy is a sidecar, which may have all fields of a container.
    if (container.restartPolicy === "Always") return [...causes, ...validateHooksAndProbes(container, inner)];
    for (const key of ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"]) {
      const detail = "may not be set for init containers without restartPolicy=Always";
      if (isJsonObject(container[key])) causes.push(forbidden(`${inner}.${key}`, detail));
    }
    return causes;
  });
}

/** Validates that names are unique over all three lists, and that targets are in the first two. */
function validateEphemeralContainers(
  spec: JsonObject,
  volumes: ReadonlySet<string>,
  path: string,
): StatusCause[] {
  const others = new Set([...containerNames(spec, "containers"), ...containerNames(spec, "initContainers")]);
  const names = new Set(others);
  return objects(spec.ephemeralContainers).flatMap((container, index) => {
    const inner = `${path}.ephemeralContainers[${index}]`;
    const causes = [
      ...validateContainer(container, volumes, inner),
      ...unique(container, names, inner),
      ...validateEphemeralFields(container, inner),
    ];
    const target = text(container.targetContainerName);
    if (target !== "" && !others.has(target)) causes.push(notFound(`${inner}.targetContainerName`, target));
    return causes;
  });
}

function containerNames(spec: JsonObject, list: string): Set<string> {
  return new Set(objects(spec[list]).map(({ name }) => text(name)));
}

function unique(container: JsonObject, names: Set<string>, path: string): StatusCause[] {
  const name = text(container.name);
  if (name !== "" && names.has(name)) return [duplicate(`${path}.name`, name)];
  names.add(name);
  return [];
}

function validateHost(spec: JsonObject, path: string): StatusCause[] {
  const causes: StatusCause[] = [];
  if (spec.hostUsers === false && spec.hostNetwork === true) {
    causes.push(forbidden(`${path}.hostNetwork`, "when `hostUsers` is false"));
  }
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const detail = "ShareProcessNamespace and HostPID cannot both be enabled";
    causes.push(invalid(`${path}.securityContext.shareProcessNamespace`, true, detail));
  }
  if (spec.hostNetwork === true) {
    for (const [index, container] of objects(spec.containers).entries()) {
      for (const [portIndex, port] of objects(container.ports).entries()) {
        if (port.hostPort === port.containerPort) continue;
        const field = `${path}.containers[${index}].ports[${portIndex}].hostPort`;
        causes.push(invalid(field, port.hostPort, "must match `containerPort` when `hostNetwork` is true"));
      }
    }
  }
  return causes;
}

function validateNames(spec: JsonObject, path: string): StatusCause[] {
  const rules: [string, (name: string) => string[]][] = [
    ["serviceAccountName", isDns1123Subdomain],
    ["nodeName", isDns1123Subdomain],
    ["hostname", isDns1123Label],
    ["subdomain", isDns1123Label],
    ["priorityClassName", isDns1123Subdomain],
    ["runtimeClassName", isDns1123Subdomain],
  ];
  return rules.flatMap(([key, rule]) => {
    const name = text(spec[key]);
    return name === "" ? [] : rule(name).map((error) => invalid(`${path}.${key}`, name, error));
  });
}

function validateDeadline(spec: JsonObject, path: string): StatusCause[] {
  const { activeDeadlineSeconds: deadline } = spec;
  const maximum = 2 ** 31 - 1;
  if (typeof deadline !== "number" || (deadline >= 1 && deadline <= maximum)) return [];
  return [invalid(`${path}.activeDeadlineSeconds`, deadline, `must be between 1 and ${maximum}, inclusive`)];
}

/** Validates a core/v1 PodTemplateSpec. */
export function validatePodTemplate(template: JsonObject, path: string): StatusCause[] {
  const spec = object(template.spec);
  const causes = [
    ...validateLabels(labels(object(template.metadata).labels), `${path}.labels`),
    ...validatePodSpec({ ...spec, ephemeralContainers: [] }, `${path}.spec`),
  ];
  if (objects(spec.ephemeralContainers).length > 0) {
    const detail = "ephemeral containers not allowed in pod template";
    causes.push(forbidden(`${path}.spec.ephemeralContainers`, detail));
  }
  return causes;
}
