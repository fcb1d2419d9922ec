export { clusterCommand } from "./cluster-command.ts";
export {
  type ControlPlane,
  type FindControlPlaneOptions,
  type FoundProgram,
  findControlPlane,
} from "./control-plane/find-control-plane.ts";
export type { Fetch, Release } from "./download.ts";
export { type FindToolOptions, type FoundTool, findTool } from "./find-tool.ts";
export { type KubernetesVersions, kubernetesVersions } from "./kubernetes-versions.ts";
export { executablesOnPath } from "./on-path.ts";
export { identityOf } from "./process-identity.ts";
export { quote } from "./quote.ts";
export { type Miss, ToolNotFoundError } from "./tool-not-found.ts";
export {
  makeUserDirectory,
  type UserDirectories,
  UserDirectoryError,
  userDirectories,
} from "./user-directories.ts";
export {
  type ControlPlaneProgram,
  controlPlaneRequirements,
  kindNodeImage,
  type ToolName,
  type ToolRequirement,
  toolRequirements,
} from "./versions.ts";
