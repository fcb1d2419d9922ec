import type { Pod, Service } from "@operator-path/client";

/**
 * The variables by which a container finds Services (k8s.io/kubernetes/pkg/kubelet/envvars): those of its own namespace, unless
 * the Pod turns `enableServiceLinks` off, and always those of default/kubernetes.
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
