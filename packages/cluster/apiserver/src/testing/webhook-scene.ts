import type { JsonObject } from "../lib/json/json.ts";
import type { TestServer } from "./test-server.ts";
import { startWebhookServer, type WebhookServer } from "./webhook-server.ts";

/** A webhook server for a whole test file, with functions that register its webhooks for ConfigMaps. */
export interface WebhookScene {
  hooks: WebhookServer;
  /** Registers a webhook on a new path, and returns the path. */
  register(
    server: TestServer,
    kind: "Mutating" | "Validating",
    members?: JsonObject,
    name?: string,
  ): Promise<string>;
  webhook(path: string, members?: JsonObject): JsonObject;
  /** Returns the calls of a path. */
  asked(path: string): WebhookServer["received"];
}

/** Starts the server. @param names names of the serving certificate, in addition to localhost */
export async function startWebhookScene(names: string[] = []): Promise<WebhookScene> {
  const hooks = await startWebhookServer(names);
  let count = 0;

  const webhook: WebhookScene["webhook"] = (path, members = {}) => ({
    name: "a.example.com",
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    clientConfig: hooks.clientConfig(path),
    rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
    ...members,
  });

  return {
    hooks,
    webhook,
    async register(server, kind, members = {}, name = "hook") {
      const path = `/hook-${++count}`;
      const plural = `${kind.toLowerCase()}webhookconfigurations`;
      await server.create(`/apis/admissionregistration.k8s.io/v1/${plural}`, {
        metadata: { name: `${name}-${count}` },
        webhooks: [webhook(path, members)],
      });
      return path;
    },
    asked: (path) => hooks.received.filter((call) => call.path.split("?")[0] === path),
  };
}
