import { isDeepStrictEqual } from "node:util";
import { parseQuantity } from "@operator-path/client";
import { isDns1123Label } from "../../../lib/formats/names.ts";
import { type ApiObject, isJsonObject, type JsonObject } from "../../../lib/json/json.ts";
import { object, objects, text } from "../../../lib/json/read.ts";

const lists = ["initContainers", "containers", "ephemeralContainers"];

/**
 * Returns the warnings about a Pod spec, except those about deprecated fields (GetWarningsForPod of
 * k8s.io/kubernetes/pkg/api/pod).
 */
function warnOfPodSpec(spec: JsonObject, path: string): string[] {
  const containers = lists.flatMap((list) =>
    objects(spec[list]).map((container, index) => ({ container, path: `${path}.${list}[${index}]` })),
  );
  return [
    ...warnOfSpread(spec, path),
    ...warnOfVolumes(spec),
    ...warnOfTwice(spec.hostAliases, "ip", `${path}.hostAliases`),
    ...warnOfTwice(spec.imagePullSecrets, "name", `${path}.imagePullSecrets`),
    ...objects(spec.imagePullSecrets).flatMap((secret, index) =>
      text(secret.name) === "" ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
    ...containers.flatMap(({ container, path }) => [
      ...warnOfBytes(container, path),
      ...warnOfEnvironment(container, path),
    ]),
    ...warnOfPorts(containers),
    ...(Number(spec.terminationGracePeriodSeconds) < 0
      ? [
          `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...warnOfAffinity(object(spec.affinity), `${path}.affinity`),
  ];
}

function warnOfSpread(spec: JsonObject, path: string): string[] {
  return objects(spec.topologySpreadConstraints).flatMap((constraint, index) =>
    isJsonObject(constraint.labelSelector)
      ? []
      : [
          `${path}.topologySpreadConstraints[${index}].labelSelector: a null labelSelector results in matching no pod`,
        ],
  );
}

function warnOfVolumes(spec: JsonObject): string[] {
  return objects(spec.volumes).flatMap((volume) => {
    const { projected } = volume;
    const isEmpty =
      isJsonObject(projected) &&
      objects(projected.sources).every((source) => Object.keys(source).length === 0);
    return isEmpty ? [`volume ${JSON.stringify(volume.name)} (Projected) has no sources provided`] : [];
  });
}

function warnOfTwice(list: JsonObject[string], key: string, path: string): string[] {
  const seen = new Set<string>();
  return objects(list).flatMap((item, index) => {
    const value = text(item[key]);
    if (seen.has(value)) return [`${path}[${index}].${key}: duplicate ${key} ${JSON.stringify(value)}`];
    seen.add(value);
    return [];
  });
}

/** Returns warnings about fractions of a byte. */
function warnOfBytes(container: JsonObject, path: string): string[] {
  const resources = object(container.resources);
  return ["memory", "ephemeral-storage"].flatMap((name) =>
    ["limits", "requests"].flatMap((list) => {
      const value = object(resources[list])[name];
      if (typeof value !== "string" || parseQuantity(value).nano % 1_000_000_000n === 0n) return [];
      return [
        `${path}.resources.${list}[${name}]: fractional byte value ${JSON.stringify(value)} is invalid, must be an integer`,
      ];
    }),
  );
}

function warnOfEnvironment(container: JsonObject, path: string): string[] {
  const seen = new Set<string>();
  return objects(container.env).flatMap((variable, index) => {
    const name = text(variable.name);
    const reference = `$(${name})`;
    const value = text(variable.value);
    const hides = isJsonObject(variable.valueFrom) || value === reference || !value.includes(reference);
    if (!seen.has(name)) seen.add(name);
    else if (hides) {
      return [
        `${path}.env[${index}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
      ];
    }
    return [];
  });
}

function warnOfAffinity(affinity: JsonObject, path: string): string[] {
  const words = "a null labelSelector results in matching no pod";
  return ["podAffinity", "podAntiAffinity"].flatMap((kind) => {
    const part = object(affinity[kind]);
    return [
      ...objects(part.requiredDuringSchedulingIgnoredDuringExecution).flatMap((term, index) =>
        isJsonObject(term.labelSelector)
          ? []
          : [
              `${path}.${kind}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector: ${words}`,
            ],
      ),
      ...objects(part.preferredDuringSchedulingIgnoredDuringExecution).flatMap((weighted, index) =>
        isJsonObject(object(weighted.podAffinityTerm).labelSelector)
          ? []
          : [
              `${path}.${kind}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm.labelSelector: ${words}`,
            ],
      ),
    ];
  });
}

interface Port {
  readonly field: string;
  readonly port: JsonObject;
}

/** Returns warnings about ports of a Pod's containers that conflict. */
function warnOfPorts(containers: readonly { container: JsonObject; path: string }[]): string[] {
  const all: Port[] = containers.flatMap(({ container, path }) =>
    objects(container.ports).map((port, index) => ({ field: `${path}.ports[${index}]`, port })),
  );
  return [...warnOfNumbers(all), ...warnOfNames(all)];
}

function warnOfNumbers(ports: readonly Port[]): string[] {
  const taken = new Map<string, Port[]>();
  return ports.flatMap((one) => {
    const { field, port } = one;
    const warnings: string[] = [];
    if (port.hostIP && !port.hostPort) {
      warnings.push(`${field}: hostIP set without hostPort: ${internalPort(port)}`);
    }
    const key = `${String(port.containerPort)}/${text(port.protocol)}`;
    const others = taken.get(key) ?? [];
    for (const other of others) {
      const [a, b] = [port, other.port];
      if (text(a.hostIP) === text(b.hostIP) && (a.hostPort ?? 0) === (b.hostPort ?? 0)) {
        warnings.push(`${field}: duplicate port definition with ${other.field}`);
      } else if (!a.hostPort || !b.hostPort) {
        warnings.push(`${field}: overlapping port definition with ${other.field}`);
      } else if (a.hostPort === b.hostPort && (text(a.hostIP) === "") !== (text(b.hostIP) === "")) {
        warnings.push(`${field}: dangerously ambiguous port definition with ${other.field}`);
      }
    }
    taken.set(key, [...others, one]);
    return warnings;
  });
}

function warnOfNames(ports: readonly Port[]): string[] {
  const names = new Map<string, string>();
  return ports.flatMap(({ field, port }) => {
    const name = text(port.name);
    if (name === "") return [];
    const other = names.get(name);
    if (other === undefined) {
      names.set(name, field);
      return [];
    }
    return [
      `${field}: duplicate port name ${JSON.stringify(name)} with ${other}, services and probes that select ports by name will use ${other}`,
    ];
  });
}

/** Formats a port as Go prints it. */
function internalPort(port: JsonObject): string {
  return `{Name:${text(port.name)} HostPort:${String(port.hostPort ?? 0)} ContainerPort:${String(port.containerPort)} Protocol:${text(port.protocol)} HostIP:${text(port.hostIP)}}`;
}

/** Returns warnings about probable mistakes in a new Pod (WarningsOnCreate of podStrategy). */
export function podWarnings(pod: ApiObject, old: ApiObject | undefined): string[] {
  if (old !== undefined) return [];
  return [...warnOfName("the Pod's hostname", pod), ...warnOfPodSpec(object(pod.spec), "spec")];
}

/**
 * Returns the warnings of a kind with a Pod template (WarningsOnCreate and WarningsOnUpdate of its strategy).
 * On an update, the template is checked only if it has changed.
 * @param path path of the template
 * @param namesPods whether Pods are named after the object
 */
export function templateWarnings(
  path: readonly string[],
  { namesPods = false }: { namesPods?: boolean } = {},
): (written: ApiObject, old: ApiObject | undefined) => string[] {
  return (written, old) => {
    const warnings = old === undefined && namesPods ? warnOfName("Pod names and hostnames", written) : [];
    const template = at(written as JsonObject, path);
    if (old !== undefined && isDeepStrictEqual(at(old as JsonObject, path), template)) return warnings;
    return [...warnings, ...warnOfPodSpec(object(template.spec), `${path.join(".")}.spec`)];
  };
}

function warnOfName(whose: string, { metadata }: ApiObject): string[] {
  const errors = isDns1123Label(metadata.name ?? "");
  if (errors.length === 0) return [];
  return [
    `metadata.name: this is used in ${whose}, which can result in surprising behavior; a DNS label is recommended: [${errors.join(" ")}]`,
  ];
}

function at(value: JsonObject, path: readonly string[]): JsonObject {
  return path.reduce<JsonObject>((part, key) => object(part[key]), value);
}
