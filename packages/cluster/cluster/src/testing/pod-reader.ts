import { createClient, events, isNotFound, type KubeConfig, pods } from "@operator-path/client";

/**
 * Reads Pods of the namespace `default`, for tests that wait. Avoids kubectl, which would need a process each
 * time.
 */
export interface PodReader {
  /** Rejects until there is a log. */
  logs(pod: string): Promise<string>;
  /** Whether a Pod has written a line. */
  hasLogs(pod: string): Promise<boolean>;
  /**
   * Returns a field as kubectl's JSONPath prints it, or "" if it, or the Pod, is missing. @param path
   * `.a.b[0].c`
   */
  field(pod: string, path: string): Promise<string>;
  /** Returns `reason:message` of the Events about a Pod, one per line. */
  events(pod: string): Promise<string>;
}

export function createPodReader(kubeConfig: KubeConfig): PodReader & { close(): Promise<void> } {
  const client = createClient(kubeConfig);
  const inDefault = client.resource(pods).namespace("default");

  async function logs(pod: string): Promise<string> {
    const path = `/api/v1/namespaces/default/pods/${pod}/log`;
    return Buffer.from((await client.request({ method: "GET", path })).body).toString();
  }

  return {
    logs,
    hasLogs: (pod) =>
      logs(pod).then(
        (text) => text !== "",
        () => false,
      ),
    async field(pod, path) {
      const object = await inDefault.get(pod).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
      let value: unknown = object;
      for (const name of path.split(/[.[\]]+/).filter((part) => part !== ""))
        value = (value as Record<string, unknown> | undefined)?.[name];
      if (value === undefined) return "";
      return typeof value === "object" ? JSON.stringify(value) : String(value);
    },
    async events(pod) {
      const fieldSelector = `involvedObject.name=${pod}`;
      const { items } = await client.resource(events).namespace("default").list({ fieldSelector });
      return items.map(({ reason, message }) => `${reason}:${message}\n`).join("");
    },
    close: () => client.close(),
  };
}
