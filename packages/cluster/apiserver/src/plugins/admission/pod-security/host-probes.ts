import type { JsonObject, JsonValue } from "../../../lib/json/json.ts";
import { object, text } from "../../../lib/json/read.ts";
import { type CheckPod, containersOf, named, plural, quoted, sorted } from "./check.ts";

/** Probes and lifecycle handlers reach their own Pod, and no other host. */
export const hostProbes: CheckPod = (pod) => {
  const bad = containersOf(pod).filter(({ container }) => hosts(container).length > 0);
  if (bad.length === 0) return undefined;
  const found = sorted(bad.flatMap(({ container }) => hosts(container)));
  const verb = plural(bad.length, "uses", "use");
  const noun = plural(found.length, "probe or lifecycle host", "probe or lifecycle hosts");
  const names = sorted(bad.map(({ name }) => name));
  return { reason: "probe or lifecycle host", detail: `${named(names)} ${verb} ${noun} ${quoted(found)}` };
};

function hosts(container: JsonObject): string[] {
  const { postStart, preStop } = object(container.lifecycle);
  const handlers: (JsonValue | undefined)[] = [
    container.livenessProbe,
    container.readinessProbe,
    container.startupProbe,
    postStart,
    preStop,
  ];
  return handlers.flatMap((handler) => {
    const { httpGet, tcpSocket } = object(handler);
    return [httpGet, tcpSocket].map((target) => text(object(target).host)).filter((host) => host !== "");
  });
}
