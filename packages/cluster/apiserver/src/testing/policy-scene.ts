import type { JsonObject } from "../lib/json/json.ts";
import { configMap, startTestServer, type TestServer } from "./test-server.ts";

export const registration = "/apis/admissionregistration.k8s.io/v1";
export const configMaps = "/api/v1/namespaces/default/configmaps";

/** The default rule of policies. */
export const configMapRule = {
  apiGroups: [""],
  apiVersions: ["v1"],
  operations: ["CREATE", "UPDATE"],
  resources: ["configmaps"],
};

/** Creates the ValidatingAdmissionPolicy `p` and its binding. */
export async function bindPolicy(
  server: TestServer,
  spec: JsonObject,
  binding: JsonObject = {},
  name = "p",
): Promise<void> {
  await server.create(`${registration}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [configMapRule] }, ...spec },
  });
  await server.create(`${registration}/validatingadmissionpolicybindings`, {
    metadata: { name },
    spec: { policyName: name, validationActions: ["Deny"], ...binding },
  });
}

/** Starts a server with a policy for ConfigMaps. */
export async function startPolicyScene(spec: JsonObject, binding: JsonObject = {}) {
  const server = await startTestServer();
  await bindPolicy(server, spec, binding);
  return {
    server,
    post: (name: string, data: Record<string, string> = {}, labels?: Record<string, string>) =>
      server.request("POST", configMaps, { body: configMap(name, data, labels) }),
  };
}

/** Returns the message of the policy `p` about the ConfigMap `a`. */
export const denied = (why: string) =>
  `configmaps "a" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p' denied request: ${why}`;
