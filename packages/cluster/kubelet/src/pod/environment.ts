import {
  approximate,
  type Client,
  configMaps,
  isNotFound,
  type Pod,
  parseQuantity,
  type Quantity,
  type Service,
  secrets,
} from "@operator-path/client";
import { ConfigError } from "../runtime/errors.ts";
import type { ContainerSpec, EnvVar, PodStatus } from "./types.ts";

/**
 * Returns a container's environment: `envFrom`, then `env`, with `$(NAME)` expanded
 * (k8s.io/kubernetes/third_party/forked/golang/expansion).
 * @throws ConfigError when a ConfigMap, a Secret or a key is missing and not optional
 */
export async function containerEnvironment(
  client: Client,
  pod: Pod,
  status: Pick<PodStatus, "podIP" | "hostIP">,
  spec: Pick<ContainerSpec, "env" | "envFrom" | "resources" | "name">,
  nodeName: string,
): Promise<Record<string, string>> {
  const env: Record<string, string> = {};
  const namespace = pod.metadata?.namespace ?? "default";
  const read = cachedReader(client, namespace);
  for (const { prefix = "", configMapRef, secretRef } of spec.envFrom ?? []) {
    const reference = configMapRef ?? secretRef;
    const data = await read(
      configMapRef ? "configmap" : "secret",
      reference?.name ?? "",
      reference?.optional,
    );
    for (const [key, value] of Object.entries(data ?? {})) env[prefix + key] = value;
  }
  for (const variable of spec.env ?? []) {
    const value = await resolveVariable(variable);
    if (value !== undefined) env[variable.name] = value;
  }
  return env;

  async function resolveVariable({ value, valueFrom }: EnvVar): Promise<string | undefined> {
    if (!valueFrom) return expand(value ?? "", env);
    if (valueFrom.fieldRef) return podField(pod, status, valueFrom.fieldRef.fieldPath ?? "", nodeName);
    if (valueFrom.resourceFieldRef) {
      return resourceField(spec.resources, valueFrom.resourceFieldRef);
    }
    const reference = valueFrom.configMapKeyRef ?? valueFrom.secretKeyRef;
    if (!reference) return undefined;
    const kind = valueFrom.configMapKeyRef ? "configmap" : "secret";
    const data = await read(kind, reference.name ?? "", reference.optional);
    const found = data?.[reference.key];
    if (found === undefined && !reference.optional) {
      const label = kind === "configmap" ? "ConfigMap" : "Secret";
      throw new ConfigError(`couldn't find key ${reference.key} in ${label} ${namespace}/${reference.name}`);
    }
    return found;
  }
}

/**
 * Returns a limit or request in units of the divisor, rounded up, for a `resourceFieldRef`
 * (pkg/api/v1/resource).
 */
export function resourceField(
  resources: ContainerSpec["resources"],
  { resource = "", divisor }: { resource?: string; divisor?: Quantity },
): string {
  const [list, name = ""] = resource.split(".") as ["limits" | "requests", string];
  const unit = approximate(parseQuantity(divisor ?? "1"));
  const value = approximate(parseQuantity(resources?.[list]?.[name] ?? "0"));
  return String(Math.ceil(value / (unit > 0 ? unit : 1)));
}

/**
 * Returns a function that reads ConfigMaps and Secrets as text, each once. Skips a ConfigMap's binaryData,
 * which only volumes show.
 */
function cachedReader(client: Client, namespace: string) {
  const seen = new Map<string, Promise<Record<string, string>>>();
  return async (kind: "configmap" | "secret", name: string, optional?: boolean) => {
    const key = `${kind}/${name}`;
    if (!seen.has(key))
      seen.set(
        key,
        readData(client, kind, namespace, name).then((data) => toText(kind, data)),
      );
    try {
      return await seen.get(key);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (optional) return undefined;
      throw new ConfigError(`${kind} "${name}" not found`);
    }
  };
}
function toText(kind: "configmap" | "secret", data: Record<string, string | Uint8Array>) {
  const entries = Object.entries(data).filter(([, value]) => kind === "secret" || typeof value === "string");
  return Object.fromEntries(entries.map(([key, value]) => [key, Buffer.from(value).toString()]));
}

/** Returns the data by key: a ConfigMap's `data` as text, its `binaryData` and a Secret's `data` as bytes. */
export async function readData(
  client: Client,
  kind: "configmap" | "secret",
  namespace: string,
  name: string,
): Promise<Record<string, string | Uint8Array>> {
  const decode = (data: Record<string, string> | undefined) =>
    Object.fromEntries(
      Object.entries(data ?? {}).map(([key, value]) => [key, new Uint8Array(Buffer.from(value, "base64"))]),
    );
  if (kind === "secret") return decode((await client.resource(secrets).namespace(namespace).get(name)).data);
  const configMap = await client.resource(configMaps).namespace(namespace).get(name);
  return { ...decode(configMap.binaryData), ...configMap.data };
}

/** Returns a field of the Pod for the downward API. Returns "" for an unknown field. */
export function podField(
  pod: Pod,
  status: Pick<PodStatus, "podIP" | "hostIP">,
  path: string,
  nodeName: string,
): string {
  const { metadata, spec } = pod;
  const keyed = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (keyed?.[1] && keyed[2]) return metadata?.[keyed[1] as "labels" | "annotations"]?.[keyed[2]] ?? "";
  const lines = (map: Record<string, string> | undefined) =>
    Object.entries(map ?? {})
      .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
      .join("\n");
  const fields: Record<string, string | undefined> = {
    "metadata.name": metadata?.name,
    "metadata.namespace": metadata?.namespace,
    "metadata.uid": metadata?.uid,
    "metadata.labels": lines(metadata?.labels),
    "metadata.annotations": lines(metadata?.annotations),
    "spec.nodeName": nodeName,
    "spec.serviceAccountName": spec?.serviceAccountName ?? "default",
    "status.hostIP": status.hostIP,
    "status.hostIPs": status.hostIP,
    "status.podIP": status.podIP,
    "status.podIPs": status.podIP,
  };
  return fields[path] ?? "";
}

/** Replaces `$(NAME)` by its value. Keeps unknown names, and turns `$$` into `$`. */
export function expand(text: string, env: Record<string, string>): string {
  return text.replace(/\$\$|\$\(([^)]+)\)/g, (match, name: string | undefined) =>
    name === undefined ? "$" : (env[name] ?? match),
  );
}

/**
 * Returns the variables that name Services (k8s.io/kubernetes/pkg/kubelet/envvars): those of the Pod's
 * namespace, unless `enableServiceLinks` is false, and always default/kubernetes.
 */
export function serviceEnvironment(pod: Pod, services: readonly Service[]): Record<string, string> {
  const env: Record<string, string> = {};
  for (const { metadata, spec } of services) {
    const isMaster = metadata?.namespace === "default" && metadata.name === "kubernetes";
    const isLinked =
      metadata?.namespace === pod.metadata?.namespace && pod.spec?.enableServiceLinks !== false;
    const host = spec?.clusterIP;
    const ports = spec?.ports ?? [];
    if (!(isMaster || isLinked) || !host || host === "None" || !ports[0]) continue;
    const name = variable(metadata?.name ?? "");
    env[`${name}_SERVICE_HOST`] = host;
    env[`${name}_SERVICE_PORT`] = String(ports[0].port);
    for (const [index, { name: portName, port, protocol = "TCP" }] of ports.entries()) {
      if (portName) env[`${name}_SERVICE_PORT_${variable(portName)}`] = String(port);
      const url = `${protocol.toLowerCase()}://${host}:${port}`;
      if (index === 0) env[`${name}_PORT`] = url;
      const prefix = `${name}_PORT_${port}_${protocol}`;
      env[prefix] = url;
      env[`${prefix}_PROTO`] = protocol.toLowerCase();
      env[`${prefix}_PORT`] = String(port);
      env[`${prefix}_ADDR`] = host;
    }
  }
  return env;
}

function variable(name: string): string {
  return name.toUpperCase().replaceAll("-", "_");
}
