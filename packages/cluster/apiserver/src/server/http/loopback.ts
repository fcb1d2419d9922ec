/**
 * How Pods name the API server. No page of the internet can have these names: 10.96.0.1 is no loopback address, and the
 * others are no names of the public DNS.
 */
export const inClusterNames = [
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
  "10.96.0.1",
] as const;

/** Whether a Host header names this API server, from the machine or from inside of the cluster. */
export function isOwnHost(host: string | undefined): boolean {
  if (isLoopbackHost(host)) return true;
  const name = host?.replace(/:\d+$/, "").toLowerCase();
  return inClusterNames.some((own) => own === name);
}

/**
 * Whether a Host header names this machine's loopback. A page in a browser can make a name of its own resolve to
 * 127.0.0.1 (DNS rebinding); the Host header then still carries that name.
 */
function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined) return false;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return name === "localhost" || name === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
