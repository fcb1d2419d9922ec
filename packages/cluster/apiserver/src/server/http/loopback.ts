/**
 * Names of the API server inside the cluster. No web page can have them as its host: 10.96.0.1 is not a
 * loopback address, and the public DNS does not have the others.
 */
export const inClusterNames = [
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
  "10.96.0.1",
] as const;

/** Returns whether a Host header names this API server, from the machine or from inside the cluster. */
export function isOwnHost(host: string | undefined): boolean {
  if (isLoopbackHost(host)) return true;
  const name = host?.replace(/:\d+$/, "").toLowerCase();
  return inClusterNames.some((own) => own === name);
}

/**
 * Returns whether a Host header names this machine's loopback. A web page can let its own name resolve to
 * 127.0.0.1 (DNS rebinding), but its requests still have that name in the Host header.
 */
function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined) return false;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return name === "localhost" || name === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
