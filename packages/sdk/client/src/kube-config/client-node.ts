/**
 * What is needed of client-node when it is loaded. A bundler puts all of a package that is imported dynamically into the
 * bundle (18 MB); of this file only what it names.
 */
export { KubeConfig } from "@kubernetes/client-node";
