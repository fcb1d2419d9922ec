export type { Status, StatusCause } from "./apimachinery/errors.ts";
export { ApiStatusError } from "./apimachinery/errors.ts";
export { kubernetesVersion } from "./generated/kubernetes.ts";
export { kubeConfigOf, kubeconfigYaml, type ServerAccess } from "./kubeconfig.ts";
export type { Level as PodSecurityLevel } from "./plugins/admission/pod-security/policy.ts";
export { countedBy, quotaUsage } from "./plugins/admission/resource-quota/recalculate.ts";
export type { AccessAttributes, AccessDecision, Authorizer } from "./server/auth/authorizer.ts";
export type { UserInfo } from "./server/auth/user.ts";
export type {
  AttachRequest,
  ContainerReference,
  ContainerStreams,
  DialService,
  ExecRequest,
  LogRequest,
  NodeConnection,
  PortForwardRequest,
} from "./server/streaming/node-connection.ts";
export { servePortForward } from "./server/streaming/port-forward.ts";
export type { DialPort } from "./server/streaming/port-forward-channels.ts";
export { type Run, serveRemoteCommand } from "./server/streaming/remote-command.ts";
export { splice } from "./server/streaming/splice.ts";
export type { Upgrade } from "./server/streaming/upgrade.ts";
export type { ApiServer, ApiServerOptions, ObservedRequest } from "./server.ts";
export { startApiServer } from "./server.ts";
