/**
 * Whether a Host header names this machine's loopback. A page in a browser can make a name of its own resolve to
 * 127.0.0.1 (DNS rebinding); the Host header then still carries that name.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined) return false;
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return name === "localhost" || name === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(name);
}
