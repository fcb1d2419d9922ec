/** The identity of a process that the kernel checks when one process inspects another. */
export interface Credentials {
  uid: number;
  gid: number;
  /** Effective capabilities without `CAP_`, such as `SYS_PTRACE`. Empty unless the process runs as root. */
  capabilities: ReadonlySet<string>;
}

/** The capabilities that container runtimes leave to root in a container. */
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
 * Returns the effective capabilities of a container's processes. Added ones have no effect for users other
 * than root: a container runtime sets no ambient capabilities, so they are lost when the program is executed.
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
 * Whether one process may access /proc/<pid>/root of another (ptrace(2), "Ptrace access mode checking"): it
 * has the same user and group and every capability of the target, or it has CAP_SYS_PTRACE.
 */
export function mayInspect(viewer: Credentials, target: Credentials): boolean {
  if (viewer.capabilities.has("SYS_PTRACE")) return true;
  if (viewer.uid !== target.uid || viewer.gid !== target.gid) return false;
  return [...target.capabilities].every((name) => viewer.capabilities.has(name));
}
