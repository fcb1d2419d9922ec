export { createHelm, type HelmOptions } from "./helm/create-helm.ts";
export type { HelmErrorKind } from "./helm/error-kind.ts";
export type {
  DryRunOptions,
  Helm,
  InstallOptions,
  OperationOptions,
  ReleaseKey,
  ReleaseRequest,
  Rendered,
  RollbackOptions,
  RunOptions,
  UninstallOptions,
  UpgradeOptions,
} from "./helm/helm.ts";
export { HelmError } from "./helm/helm-error.ts";
export { decodeRelease } from "./release/decode-release.ts";
export { type Recovery, type RecoveryOptions, recovery } from "./release/recovery.ts";
export type { Hook, Release, ReleaseStatus } from "./release/release.ts";
export { ReleaseError } from "./release/release-error.ts";
export { releaseHistory } from "./release/release-history.ts";
export { ReleaseTooLarge } from "./release/release-size.ts";
export { type ReleaseState, releaseState } from "./release/release-state.ts";
