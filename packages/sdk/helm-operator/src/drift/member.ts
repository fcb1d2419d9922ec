/** The path of a field of an object: `spec.replicas`, `metadata.annotations["example.com/paused"]`. */
export function member(path: string, name: string): string {
  if (/[^\w$-]/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}
