import type { JsonObject } from "../../../lib/json/json.ts";
import { objects, text } from "../../../lib/json/read.ts";

interface Port {
  readonly field: string;
  readonly port: JsonObject;
}

/** Ports of a Pod's containers that get into each other's way. */
export function warnOfPorts(containers: readonly { container: JsonObject; path: string }[]): string[] {
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

/** How Go prints it. */
function internalPort(port: JsonObject): string {
  return `{Name:${text(port.name)} HostPort:${String(port.hostPort ?? 0)} ContainerPort:${String(port.containerPort)} Protocol:${text(port.protocol)} HostIP:${text(port.hostIP)}}`;
}
