export type { Level as PodSecurityLevel } from "./admission/pod-security/policy.ts";
export { countedBy, quotaUsage } from "./admission/resource-quota/recalculate.ts";
export type { AccessAttributes, AccessDecision, Authorizer } from "./auth/authorizer.ts";
export type { UserInfo } from "./auth/user.ts";
export type {
  AttachRequest,
  ContainerReference,
  ContainerStreams,
  DialService,
  ExecRequest,
  LogRequest,
  NodeConnection,
  PortForwardRequest,
} from "./connect/node-connection.ts";
export { servePortForward } from "./connect/port-forward.ts";
export type { DialPort } from "./connect/port-forward-channels.ts";
export { type Run, serveRemoteCommand } from "./connect/remote-command.ts";
export { splice } from "./connect/splice.ts";
export type { Upgrade } from "./connect/upgrade.ts";
export type { Status, StatusCause } from "./errors.ts";
export { ApiStatusError } from "./errors.ts";
export { kubernetesVersion } from "./generated/kubernetes.ts";
export {
  type CertificateAuthority,
  createAuthority,
  createServingCertificate,
  type KeyPair,
  type ServingCertificate,
} from "./http/certificates.ts";
export { kubeConfigOf, kubeconfigYaml, type ServerAccess } from "./kubeconfig.ts";
export type { ApiServer, ApiServerOptions, ObservedRequest } from "./server.ts";
export { startApiServer } from "./server.ts";
