export { CopyError, type CopyErrorReason } from "./copy-error.ts";
export { copyFromPod } from "./copy-from-pod.ts";
export type { CopyOptions, CopyProgress, CopyResult, SkippedEntry } from "./copy-options.ts";
export { copyToPod } from "./copy-to-pod.ts";
