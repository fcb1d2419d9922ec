import type { StatusCause } from "../../../../apimachinery/errors.ts";
import { duplicate, invalid, notSupported, required } from "../../../../apimachinery/validation/cause.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../lib/json/json.ts";
import { objects, text, texts } from "../../../../lib/json/read.ts";

const maximumId = 2 ** 31 - 1;
const sysctlName = "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$";

/** Validates a core/v1 PodSecurityContext. */
export function validatePodSecurityContext(context: JsonValue | undefined, path: string): StatusCause[] {
  if (!isJsonObject(context)) return [];
  const causes = validateIds(context, ["runAsUser", "runAsGroup", "fsGroup"], path);
  if (Array.isArray(context.supplementalGroups)) {
    context.supplementalGroups.forEach((group, index) => {
      causes.push(...validateId(group, `${path}.supplementalGroups[${index}]`));
    });
  }
  causes.push(...validateSysctls(context.sysctls, `${path}.sysctls`));
  if (context.fsGroupChangePolicy !== undefined) {
    const known = ["Always", "OnRootMismatch"];
    const policy = text(context.fsGroupChangePolicy);
    if (!known.includes(policy)) causes.push(notSupported(`${path}.fsGroupChangePolicy`, policy, known));
  }
  return [...causes, ...validateProfiles(context, path)];
}

/** Validates runAsUser, runAsGroup and fsGroup. */
export function validateIds(context: JsonObject, keys: readonly string[], path: string): StatusCause[] {
  return keys.flatMap((key) => validateId(context[key], `${path}.${key}`));
}

function validateId(id: JsonValue | undefined, path: string): StatusCause[] {
  if (typeof id !== "number" || (id >= 0 && id <= maximumId)) return [];
  return [invalid(path, id, `must be between 0 and ${maximumId}, inclusive`)];
}

function validateSysctls(sysctls: JsonValue | undefined, path: string): StatusCause[] {
  const names = new Set<string>();
  return objects(sysctls).flatMap((sysctl, index) => {
    const name = text(sysctl.name);
    const field = `${path}[${index}].name`;
    if (name === "") return [required(field)];
    if (name.length > 253 || !new RegExp(sysctlName).test(name)) {
      return [invalid(field, name, `must have at most 253 characters and match regex ${sysctlName}`)];
    }
    if (names.has(name)) return [duplicate(field, name)];
    names.add(name);
    return [];
  });
}

/** Validates seccompProfile and appArmorProfile of a Pod or a container. */
export function validateProfiles(context: JsonObject, path: string): StatusCause[] {
  return [
    ...validateProfile(context.seccompProfile, `${path}.seccompProfile`, "seccomp"),
    ...validateProfile(context.appArmorProfile, `${path}.appArmorProfile`, "AppArmor"),
  ];
}

function validateProfile(profile: JsonValue | undefined, path: string, kind: string): StatusCause[] {
  if (!isJsonObject(profile)) return [];
  const type = text(profile.type);
  const known = ["Localhost", "RuntimeDefault", "Unconfined"];
  if (type === "")
    return [required(`${path}.type`, `type is required when ${kind.toLowerCase()}Profile is set`)];
  if (!known.includes(type)) return [notSupported(`${path}.type`, type, known)];
  const { localhostProfile } = profile;
  if (type === "Localhost") {
    const detail = `must be set when ${kind} type is Localhost`;
    return localhostProfile === undefined ? [required(`${path}.localhostProfile`, detail)] : [];
  }
  const detail = `can only be set when ${kind} type is Localhost`;
  return localhostProfile === undefined
    ? []
    : [invalid(`${path}.localhostProfile`, localhostProfile, detail)];
}

/** Rejects settings that contradict allowPrivilegeEscalation: false. */
export function validateEscalation(context: JsonObject, path: string): StatusCause[] {
  if (context.allowPrivilegeEscalation !== false) return [];
  const refuse = (what: string): StatusCause =>
    invalid(path, internalContext(context), `cannot set \`allowPrivilegeEscalation\` to false and ${what}`);
  const capabilities = isJsonObject(context.capabilities) ? context.capabilities : {};
  return [
    ...(context.privileged === true ? [refuse("`privileged` to true")] : []),
    ...texts(capabilities.add)
      .filter((name) => name === "CAP_SYS_ADMIN")
      .map(() => refuse("`capabilities.Add` CAP_SYS_ADMIN")),
  ];
}

/** Returns a container's context as a real server's message shows it: in its internal form. */
function internalContext(context: JsonObject): JsonObject {
  const capabilities = isJsonObject(context.capabilities)
    ? { Add: context.capabilities.add ?? null, Drop: context.capabilities.drop ?? null }
    : null;
  const plain = (key: string): JsonValue => context[key] ?? null;
  return {
    Capabilities: capabilities,
    Privileged: plain("privileged"),
    SELinuxOptions: plain("seLinuxOptions"),
    WindowsOptions: plain("windowsOptions"),
    RunAsUser: plain("runAsUser"),
    RunAsGroup: plain("runAsGroup"),
    RunAsNonRoot: plain("runAsNonRoot"),
    ReadOnlyRootFilesystem: plain("readOnlyRootFilesystem"),
    AllowPrivilegeEscalation: plain("allowPrivilegeEscalation"),
    ProcMount: plain("procMount"),
    SeccompProfile: plain("seccompProfile"),
    AppArmorProfile: plain("appArmorProfile"),
  };
}
