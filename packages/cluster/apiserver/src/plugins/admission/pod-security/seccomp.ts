import type { JsonValue } from "../../../lib/json/json.ts";
import { object, text } from "../../../lib/json/read.ts";
import {
  type CheckPod,
  type Container,
  containersOf,
  isSet,
  named,
  type PodLike,
  plural,
  podSecurityContext,
  quoted,
  setters,
  sorted,
  type Violation,
} from "./check.ts";

const isValid = (type: string) => type === "Localhost" || type === "RuntimeDefault";

/** Returns the type of a profile, or undefined if none is set. */
function profileType(profile: JsonValue | undefined): string | undefined {
  return isSet(profile) ? text(object(profile).type) : undefined;
}

/** Checks the annotations from before the field existed. */
export const seccompAnnotations: CheckPod = (pod) => {
  const keys = [
    "seccomp.security.alpha.kubernetes.io/pod",
    ...containersOf(pod).map(({ name }) => `container.seccomp.security.alpha.kubernetes.io/${name}`),
  ];
  const bad = sorted(
    keys.flatMap((key) => {
      const value = pod.annotations[key];
      if (value === undefined) return [];
      const allowed = ["runtime/default", "docker/default"].includes(value) || value.startsWith("localhost/");
      return allowed ? [] : [`${key}=${JSON.stringify(value)}`];
    }),
  );
  if (bad.length === 0) return undefined;
  const noun = plural(bad.length, "annotation", "annotations");
  return { reason: "seccompProfile", detail: `forbidden ${noun} ${bad.join(", ")}` };
};

/** Allows only two types of profiles. */
export const seccompBaseline: CheckPod = (pod) => {
  const ofPod = profileType(podSecurityContext(pod).seccompProfile);
  const bad = containersOf(pod).filter(({ security }) => isBad(profileType(security.seccompProfile)));
  return badProfiles(ofPod, bad);
};

/** Also requires a profile. */
export const seccompRestricted: CheckPod = (pod: PodLike) => {
  const set = seccompBaseline(pod);
  if (set !== undefined) return set;
  if (profileType(podSecurityContext(pod).seccompProfile) !== undefined) return undefined;
  const missing = containersOf(pod).filter(({ security }) => !isSet(security.seccompProfile));
  if (missing.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `pod or ${named(missing)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};

function isBad(type: string | undefined): boolean {
  return type !== undefined && !isValid(type);
}

function badProfiles(ofPod: string | undefined, bad: Container[]): Violation | undefined {
  const who = setters(isBad(ofPod), bad);
  if (who === "") return undefined;
  const values = sorted([
    ...(isBad(ofPod) ? [ofPod as string] : []),
    ...bad.map(({ security }) => profileType(security.seccompProfile) as string),
  ]);
  return {
    reason: "seccompProfile",
    detail: `${who} must not set securityContext.seccompProfile.type to ${quoted(values)}`,
  };
}
