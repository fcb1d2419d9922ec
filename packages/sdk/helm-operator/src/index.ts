export { type Chart, ChartError, type ChartFile, type ChartLimits } from "./chart/chart.ts";
export { readChartFiles } from "./chart/chart-files.ts";
export { type LoadChartOptions, loadChart } from "./chart/load-chart.ts";
export { primaryResourceAnnotation, primaryResourceTypeAnnotation } from "./drift/ownership.ts";
export { ManifestError, type ManifestObject, parseManifest } from "./drift/parse-manifest.ts";
export { createHelm, type HelmOptions } from "./helm/create-helm.ts";
export type {
  ApplyOptions,
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
export { HelmError, type HelmErrorKind, type HelmFailure } from "./helm/helm-error.ts";
export type { JsonObject, JsonValue } from "./json.ts";
export { addHelmController } from "./reconciler/add-helm-controller.ts";
export { addWatches, type WatchesOptions } from "./reconciler/add-watches.ts";
export { type HelmAnnotationNames, helmAnnotations, pausedByAnnotation } from "./reconciler/annotations.ts";
export type { HookContext, HookOperation, PostHook, PreHook } from "./reconciler/hooks.ts";
export type { HelmControllerOptions } from "./reconciler/options.ts";
export { uninstallFinalizer } from "./reconciler/uninstall.ts";
export { decodeRelease, ReleaseError } from "./release/decode-release.ts";
export { type Recovery, type RecoveryOptions, recovery } from "./release/recovery.ts";
export type { Hook, Release, ReleaseStatus, Revision } from "./release/release.ts";
export { releaseHistory } from "./release/release-history.ts";
export { ReleaseTooLarge } from "./release/release-size.ts";
export { type ReleaseState, releaseState } from "./release/release-state.ts";
export type {
  DeployedRelease,
  HelmConditionReason,
  HelmConditionType,
  HelmStatus,
} from "./status/conditions.ts";
export { coalesceValues } from "./values/coalesce-values.ts";
export { overrideValues, setValues, ValuesError } from "./values/set-values.ts";
export { specValues, type ValueMapper, type ValueTranslator } from "./values/values.ts";
export { type LoadWatchesOptions, loadWatches } from "./watches/load-watches.ts";
export { type Watch, WatchesError, type WatchesProblem } from "./watches/watch.ts";
