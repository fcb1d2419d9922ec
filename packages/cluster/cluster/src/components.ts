/** User agents of the cluster's own components. */
const components = /^kube(?:let|-proxy|-controller-manager)(?:\/|$)/;

/** Returns whether the cluster itself sends requests with this user agent. */
export function isComponent(userAgent = ""): boolean {
  return components.test(userAgent);
}
