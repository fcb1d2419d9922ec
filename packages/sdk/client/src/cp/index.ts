export type { CopyOptions, CopyProgress, CopyResult, SkippedEntry } from "./copy.ts";
export { CopyError, type CopyErrorReason } from "./copy.ts";
export { copyFromPod } from "./copy-from-pod.ts";
export { copyToPod } from "./copy-to-pod.ts";
