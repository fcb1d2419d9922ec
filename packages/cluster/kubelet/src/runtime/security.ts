/** Who a process is, as far as the kernel asks when one process looks into another. */
export interface Credentials {
  uid: number;
  gid: number;
  /** Capabilities in effect, without `CAP_`: `SYS_PTRACE`. Empty unless the process runs as root. */
  capabilities: ReadonlySet<string>;
}

/** What container runtimes leave to root in a container. */
const DEFAULT_CAPABILITIES = [
  "CHOWN",
  "DAC_OVERRIDE",
  "FSETID",
  "FOWNER",
  "MKNOD",
  "NET_RAW",
  "SETGID",
  "SETUID",
  "SETFCAP",
  "SETPCAP",
  "NET_BIND_SERVICE",
  "SYS_CHROOT",
  "KILL",
  "AUDIT_WRITE",
] as const;

/**
 * Capabilities in effect for a container's processes. Added ones do nothing for a user other than root: a container
 * runtime sets no ambient capabilities, so they are lost when the program is executed.
 */
export function effectiveCapabilities(
  uid: number,
  options: {
    privileged?: boolean | undefined;
    add?: readonly string[] | undefined;
    drop?: readonly string[] | undefined;
  },
): ReadonlySet<string> {
  if (uid !== 0) return new Set();
  const names = (list: readonly string[] = []) => list.map((name) => name.toUpperCase().replace(/^CAP_/, ""));
  const drop = names(options.drop);
  const add = names(options.add);
  const all = new Set<string>(drop.includes("ALL") ? [] : DEFAULT_CAPABILITIES);
  for (const name of drop) all.delete(name);
  for (const name of add) all.add(name);
  if (options.privileged) all.add("ALL");
  if (all.has("ALL")) for (const name of [...DEFAULT_CAPABILITIES, "SYS_PTRACE", "SYS_ADMIN"]) all.add(name);
  return all;
}

/**
 * Whether one process may look through /proc/<pid>/root of another: ptrace(2), "Ptrace access mode checking".
 * Same user and group and no capability that the looker lacks; or CAP_SYS_PTRACE.
 */
export function mayInspect(viewer: Credentials, target: Credentials): boolean {
  if (viewer.capabilities.has("SYS_PTRACE")) return true;
  if (viewer.uid !== target.uid || viewer.gid !== target.gid) return false;
  return [...target.capabilities].every((name) => viewer.capabilities.has(name));
}
