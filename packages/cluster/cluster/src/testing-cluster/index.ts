export { kustomize } from "./kustomize.ts";
export { printedColumns } from "./printed-columns.ts";
export { deployedRights, type ServiceAccountName } from "./rights.ts";
export { serviceAccountKubeConfig } from "./service-account.ts";
export { startTestCluster, type TestCluster, type TestClusterOptions } from "./start-test-cluster.ts";
export type { TestWebhookServer, WebhookConfiguration } from "./test-webhooks.ts";
