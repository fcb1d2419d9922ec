export type { AccessAttributes, AccessDecision, Authorizer } from "./auth/authorizer.ts";
export type { UserInfo } from "./auth/user.ts";
export type {
  AttachRequest,
  ContainerReference,
  ContainerStreams,
  ExecRequest,
  LogRequest,
  NodeConnection,
} from "./connect/node-connection.ts";
export type { Status, StatusCause } from "./errors.ts";
export { ApiStatusError } from "./errors.ts";
export type { ApiServer, ApiServerOptions } from "./server.ts";
export { startApiServer } from "./server.ts";
