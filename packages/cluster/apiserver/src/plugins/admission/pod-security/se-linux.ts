import { object, text } from "../../../lib/json/read.ts";
import {
  type CheckPod,
  containersOf,
  isSet,
  plural,
  podSecurityContext,
  quoted,
  setters,
  sorted,
} from "./check.ts";

const containerTypes = ["", "container_t", "container_init_t", "container_kvm_t"];

/** Returns a check of seLinuxOptions. @param more allowed types in addition to the original ones */
export function seLinuxOptions(more: string[]): CheckPod {
  const allowed = [...containerTypes, ...more];
  return (pod) => {
    const ofPod = podSecurityContext(pod).seLinuxOptions;
    const containers = containersOf(pod);
    const all = [ofPod, ...containers.map(({ security }) => security.seLinuxOptions)]
      .filter(isSet)
      .map(object);
    const badTypes = sorted(all.map(({ type }) => text(type)).filter((type) => !allowed.includes(type)));
    const isBad = (value: Parameters<typeof object>[0]) => {
      const { type, user, role } = object(value);
      return isSet(value) && (!allowed.includes(text(type)) || text(user) !== "" || text(role) !== "");
    };
    const bad = containers.filter(({ security }) => isBad(security.seLinuxOptions));
    const who = setters(isBad(ofPod), bad);
    if (who === "") return undefined;
    const what = [
      ...(badTypes.length > 0 ? [`${plural(badTypes.length, "type", "types")} ${quoted(badTypes)}`] : []),
      ...(all.some(({ user }) => text(user) !== "") ? ["user may not be set"] : []),
      ...(all.some(({ role }) => text(role) !== "") ? ["role may not be set"] : []),
    ];
    return {
      reason: "seLinuxOptions",
      detail: `${who} set forbidden securityContext.seLinuxOptions: ${what.join("; ")}`,
    };
  };
}
