export type { Chart, ChartFile } from "./chart/chart.ts";
export { ChartError } from "./chart/chart-error.ts";
export { readChartFiles } from "./chart/chart-files.ts";
export type { ChartLimits } from "./chart/limits.ts";
export { type LoadChartOptions, loadChart } from "./chart/load-chart.ts";
export { ManifestError, type ManifestObject, parseManifest } from "./drift/parse-manifest.ts";
export { primaryResourceAnnotation, primaryResourceTypeAnnotation } from "./drift/primary-resource.ts";
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
export { HelmError, type HelmFailure } from "./helm/helm-error.ts";
export type { JsonObject, JsonValue } from "./json.ts";
export { addHelmController } from "./reconciler/add-helm-controller.ts";
export { addWatches, type WatchesOptions } from "./reconciler/add-watches.ts";
export { type HelmAnnotationNames, helmAnnotations, pausedByAnnotation } from "./reconciler/annotations.ts";
export { uninstallFinalizer } from "./reconciler/finalizer.ts";
export type { HookContext, HookOperation, PostHook, PreHook } from "./reconciler/hooks.ts";
export type { HelmControllerOptions } from "./reconciler/options.ts";
export { decodeRelease } from "./release/decode-release.ts";
export { type Recovery, type RecoveryOptions, recovery } from "./release/recovery.ts";
export type { Hook, Release, ReleaseStatus, Revision } from "./release/release.ts";
export { ReleaseError } from "./release/release-error.ts";
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
export { overrideValues } from "./values/override-values.ts";
export { setValues } from "./values/set-values.ts";
export { specValues, type ValueMapper, type ValueTranslator } from "./values/value-functions.ts";
export { ValuesError } from "./values/values-error.ts";
export { type LoadWatchesOptions, loadWatches } from "./watches/load-watches.ts";
export type { Watch } from "./watches/watch.ts";
export { WatchesError, type WatchesProblem } from "./watches/watches-error.ts";
