import type { StatusCause } from "../../../../apimachinery/errors.ts";
import {
  duplicate,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
} from "../../../../apimachinery/validation/cause.ts";
import { named, oneOf, portNumber } from "../../../../apimachinery/validation/rules.ts";
import { isDns1123Label, isPortName } from "../../../../lib/formats/names.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../lib/json/json.ts";
import { object, objects, text } from "../../../../lib/json/read.ts";
import { validateEnvironment, validateEnvironmentFrom } from "./environment.ts";
import { validateEscalation, validateIds, validateProfiles } from "./pod-security.ts";
import { validateLifecycle, validateProbe } from "./probe.ts";
import { validateResources } from "./resources.ts";
import { validateMounts } from "./volume.ts";

/** Validates a core/v1 Container of any list of the Pod. The rules of a single list are in pod-spec.ts. */
export function validateContainer(
  container: JsonObject,
  volumes: ReadonlySet<string>,
  path: string,
): StatusCause[] {
  return [
    ...named(container.name, `${path}.name`, isDns1123Label),
    ...validateImage(container.image, `${path}.image`),
    ...oneOf(container.terminationMessagePolicy, `${path}.terminationMessagePolicy`, [
      "File",
      "FallbackToLogsOnError",
    ]),
    ...validatePorts(container.ports, `${path}.ports`),
    ...validateEnvironment(container.env, `${path}.env`),
    ...validateEnvironmentFrom(container.envFrom, `${path}.envFrom`),
    ...validateMounts(container.volumeMounts, volumes, `${path}.volumeMounts`),
    ...oneOf(container.imagePullPolicy, `${path}.imagePullPolicy`, ["Always", "IfNotPresent", "Never"]),
    ...validateResources(object(container.resources), `${path}.resources`),
    ...objects(object(container.resources).claims).map(({ name }, index) => ({
      ...notFound(`${path}.resources.claims[${index}]`, text(name)),
      message: `Not found: ${JSON.stringify(name)}: must be one of the names in pod.spec.resourceClaims which is empty`,
    })),
    ...objects(container.resizePolicy).flatMap(({ restartPolicy }) => {
      const known = ["NotRequired", "RestartContainer"];
      const isKnown = known.includes(text(restartPolicy));
      return isKnown ? [] : [notSupported(`${path}.resizePolicy`, restartPolicy, known)];
    }),
    ...validateSecurityContext(container.securityContext, `${path}.securityContext`),
  ];
}

/** Validates hooks and probes, which only containers have that run as long as the Pod. */
export function validateHooksAndProbes(container: JsonObject, path: string): StatusCause[] {
  const causes = isJsonObject(container.lifecycle)
    ? validateLifecycle(container.lifecycle, `${path}.lifecycle`)
    : [];
  for (const kind of ["livenessProbe", "readinessProbe", "startupProbe"] as const) {
    const probe = container[kind];
    if (isJsonObject(probe)) causes.push(...validateProbe(probe, `${path}.${kind}`, kind));
  }
  return causes;
}

function validateImage(image: JsonValue | undefined, path: string): StatusCause[] {
  const reference = text(image);
  if (reference === "") return [required(path)];
  if (reference === reference.trim()) return [];
  return [invalid(path, reference, "must not have leading or trailing whitespace")];
}

function validatePorts(ports: JsonValue | undefined, path: string): StatusCause[] {
  const names = new Set<string>();
  return objects(ports).flatMap((port, index) => {
    const inner = `${path}[${index}]`;
    const causes: StatusCause[] = [];
    const name = text(port.name);
    if (name !== "") {
      const errors = isPortName(name);
      // A real server stops at this error, and reports hyphens only if the rest is valid.
      causes.push(...errors.map((error) => invalid(`${inner}.name`, name, error)));
      if (errors.length === 0 && names.has(name)) causes.push(duplicate(`${inner}.name`, name));
      names.add(name);
    }
    if (!port.containerPort) causes.push(required(`${inner}.containerPort`));
    else causes.push(...portNumber(port.containerPort, `${inner}.containerPort`));
    if (port.hostPort) causes.push(...portNumber(port.hostPort, `${inner}.hostPort`));
    causes.push(...oneOf(port.protocol, `${inner}.protocol`, ["SCTP", "TCP", "UDP"]));
    return causes;
  });
}

/** Validates that no two containers of a Pod use the same host port. */
export function validateHostPorts(containers: JsonObject[], path: string): StatusCause[] {
  const taken = new Set<string>();
  return containers.flatMap((container, index) =>
    objects(container.ports).flatMap((port, portIndex) => {
      if (!port.hostPort) return [];
      const key = `${text(port.protocol)}/${text(port.hostIP)}/${String(port.hostPort)}`;
      if (taken.has(key)) return [duplicate(`${path}[${index}].ports[${portIndex}].hostPort`, key)];
      taken.add(key);
      return [];
    }),
  );
}

function validateSecurityContext(context: JsonValue | undefined, path: string): StatusCause[] {
  if (!isJsonObject(context)) return [];
  const causes: StatusCause[] = [];
  const { procMount } = context;
  // A real server refuses privileged containers unless it was started with --allow-privileged. kubeadm passes
  // that flag, so this server accepts them.
  causes.push(...validateIds(context, ["runAsUser", "runAsGroup"], path));
  if (procMount !== undefined && !["Default", "Unmasked"].includes(text(procMount))) {
    causes.push(notSupported(`${path}.procMount`, procMount, ["Default", "Unmasked"]));
  }
  return [...causes, ...validateProfiles(context, path), ...validateEscalation(context, path)];
}

const notForEphemeral = [
  "ports",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
  "resources",
  "resizePolicy",
];

/** Rejects the fields that a core/v1 EphemeralContainer may not have. */
export function validateEphemeralFields(container: JsonObject, path: string): StatusCause[] {
  const detail = "cannot be set for an Ephemeral Container";
  const causes = notForEphemeral.flatMap((key) => {
    const value = container[key];
    const isSet = Array.isArray(value)
      ? value.length > 0
      : isJsonObject(value) && Object.keys(value).length > 0;
    return isSet ? [forbidden(`${path}.${key}`, detail)] : [];
  });
  objects(container.volumeMounts).forEach((mount, index) => {
    for (const key of ["subPath", "subPathExpr"]) {
      if (mount[key]) causes.push(forbidden(`${path}.volumeMounts[${index}].${key}`, detail));
    }
  });
  return causes;
}
