import type { JsonObject, JsonValue } from "../../../lib/json/json.ts";
import { object, objects, text, texts } from "../../../lib/json/read.ts";
import {
  type Check,
  type CheckPod,
  containersOf,
  inUserNamespace,
  isSet,
  named,
  plural,
  podSecurityContext,
  quoted,
  setters,
  sorted,
} from "./check.ts";
import { seLinuxOptions } from "./se-linux.ts";
import { seccompAnnotations, seccompBaseline } from "./seccomp.ts";

const defaultCapabilities = [
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
];

const appArmorProfile: CheckPod = (pod) => {
  const profile = (security: JsonValue | undefined) => {
    const { appArmorProfile: set } = object(security);
    return isSet(set) ? text(object(set).type) : undefined;
  };
  const isBad = (type: string | undefined) =>
    type !== undefined && type !== "RuntimeDefault" && type !== "Localhost";
  const ofPod = profile(pod.spec.securityContext);
  const bad = containersOf(pod).filter(({ security }) => isBad(profile(security)));
  const annotations = Object.entries(pod.annotations)
    .filter(
      ([key, value]) =>
        key.startsWith("container.apparmor.security.beta.kubernetes.io/") &&
        value !== "" &&
        value !== "runtime/default" &&
        !value.startsWith("localhost/"),
    )
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const values = [
    ...sorted([
      ...(isBad(ofPod) ? [ofPod as string] : []),
      ...bad.map((entry) => profile(entry.security) as string),
    ]),
    ...annotations.sort(),
  ];
  if (values.length === 0) return undefined;
  const who = [
    setters(isBad(ofPod), bad),
    annotations.length > 0 ? plural(annotations.length, "annotation", "annotations") : "",
  ].filter((part) => part !== "");
  return {
    reason: plural(values.length, "forbidden AppArmor profile", "forbidden AppArmor profiles"),
    detail: `${who.join(" and ")} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

const capabilities: CheckPod = (pod) => {
  const added = (security: object) =>
    texts(object((security as Record<string, JsonValue>).capabilities).add).filter(
      (name) => !defaultCapabilities.includes(name),
    );
  const bad = containersOf(pod).filter(({ security }) => added(security).length > 0);
  if (bad.length === 0) return undefined;
  const names = sorted(bad.flatMap(({ security }) => added(security)));
  return {
    reason: "non-default capabilities",
    detail: `${named(bad)} must not include ${quoted(names)} in securityContext.capabilities.add`,
  };
};

const hostNamespaces: CheckPod = ({ spec }) => {
  const set = ["hostNetwork", "hostPID", "hostIPC"].filter((field) => spec[field] === true);
  if (set.length === 0) return undefined;
  return { reason: "host namespaces", detail: set.map((field) => `${field}=true`).join(", ") };
};

const hostPathVolumes: CheckPod = ({ spec }) => {
  const bad = objects(spec.volumes).filter(({ hostPath }) => isSet(hostPath));
  if (bad.length === 0) return undefined;
  const names = bad.map(({ name }) => text(name));
  return {
    reason: "hostPath volumes",
    detail: `${plural(bad.length, "volume", "volumes")} ${quoted(names)}`,
  };
};

const hostPorts: CheckPod = (pod) => {
  const ports = (container: Record<string, JsonValue | undefined>) =>
    objects(container.ports)
      .map(({ hostPort }) => hostPort)
      .filter((port) => isSet(port) && port !== 0)
      .map(String);
  const bad = containersOf(pod).filter(({ container }) => ports(container).length > 0);
  if (bad.length === 0) return undefined;
  const numbers = sorted(bad.flatMap(({ container }) => ports(container)));
  const verb = plural(bad.length, "uses", "use");
  const noun = plural(numbers.length, "hostPort", "hostPorts");
  return { reason: "hostPort", detail: `${named(bad)} ${verb} ${noun} ${numbers.join(", ")}` };
};

const privileged: CheckPod = (pod) => {
  const bad = containersOf(pod).filter(({ security }) => security.privileged === true);
  if (bad.length === 0) return undefined;
  return { reason: "privileged", detail: `${named(bad)} must not set securityContext.privileged=true` };
};

/** Part of the restricted level since 1.35, because the baseline has an exception. */
export const procMount: CheckPod = (pod) => {
  const isBad = (value: JsonValue | undefined) => isSet(value) && value !== "Default";
  const bad = containersOf(pod).filter(({ security }) => isBad(security.procMount));
  if (bad.length === 0) return undefined;
  const values = sorted(bad.map(({ security }) => text(security.procMount)));
  return {
    reason: "procMount",
    detail: `${named(bad)} must not set securityContext.procMount to ${quoted(values)}`,
  };
};

const oldSysctls = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
];
const reservedPorts = ["net.ipv4.ip_local_reserved_ports"];
const keepalive = [
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
];
const buffers = ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];

function sysctls(...allowed: string[]): CheckPod {
  return (pod) => {
    const names = objects(podSecurityContext(pod).sysctls).map(({ name }) => text(name));
    const bad = names.filter((name) => !allowed.includes(name));
    return bad.length === 0 ? undefined : { reason: "forbidden sysctls", detail: bad.join(", ") };
  };
}

const windowsHostProcess: CheckPod = (pod) => {
  const isBad = (security: JsonValue | undefined) =>
    object(object(security).windowsOptions).hostProcess === true;
  const bad = containersOf(pod).filter(({ security }) => isBad(security));
  const who = setters(isBad(pod.spec.securityContext), bad);
  if (who === "") return undefined;
  return {
    reason: "hostProcess",
    detail: `${who} must not set securityContext.windowsOptions.hostProcess=true`,
  };
};

/** Allows probes and lifecycle handlers to call only their own Pod. */
const hostProbes: CheckPod = (pod) => {
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

/** In the order in which messages list them. */
export const baselineChecks: readonly Check[] = [
  { id: "appArmorProfile", versions: [{ from: 0, check: appArmorProfile }] },
  { id: "capabilities_baseline", versions: [{ from: 0, check: capabilities }] },
  { id: "hostNamespaces", versions: [{ from: 0, check: hostNamespaces }] },
  { id: "hostPathVolumes", versions: [{ from: 0, check: hostPathVolumes }] },
  { id: "hostPorts", versions: [{ from: 0, check: hostPorts }] },
  { id: "hostProbesAndHostLifecycle", versions: [{ from: 34, check: hostProbes }] },
  { id: "privileged", versions: [{ from: 0, check: privileged }] },
  {
    id: "procMount",
    versions: [
      { from: 0, check: procMount },
      { from: 35, check: (pod) => (inUserNamespace(pod) ? undefined : procMount(pod)) },
    ],
  },
  {
    id: "seLinuxOptions",
    versions: [
      { from: 0, check: seLinuxOptions([]) },
      { from: 31, check: seLinuxOptions(["container_engine_t"]) },
    ],
  },
  {
    id: "seccompProfile_baseline",
    versions: [
      { from: 0, check: seccompAnnotations },
      { from: 19, check: seccompBaseline },
    ],
  },
  {
    id: "sysctls",
    versions: [
      { from: 0, check: sysctls(...oldSysctls) },
      { from: 27, check: sysctls(...oldSysctls, ...reservedPorts) },
      { from: 29, check: sysctls(...oldSysctls, ...reservedPorts, ...keepalive) },
      { from: 32, check: sysctls(...oldSysctls, ...reservedPorts, ...keepalive, ...buffers) },
    ],
  },
  { id: "windowsHostProcess", versions: [{ from: 0, check: windowsHostProcess }] },
];
