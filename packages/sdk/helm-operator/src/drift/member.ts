/** Returns the path of a member: `spec.replicas`, `metadata.annotations["example.com/paused"]`. */
export function pathTo(path: string, name: string): string {
  if (/[^\w$-]/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}
