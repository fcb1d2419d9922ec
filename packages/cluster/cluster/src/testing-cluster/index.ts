export { loadManifests } from "./load-manifests.ts";
export { printedColumns } from "./printed-columns.ts";
export { deployedRights, kustomize, type ServiceAccountName, serviceAccountKubeConfig } from "./rights.ts";
export { startTestCluster, type TestCluster, type TestClusterOptions } from "./start-test-cluster.ts";
export type { TestWebhookServer, WebhookConfiguration } from "./test-webhooks.ts";
