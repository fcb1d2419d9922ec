import manifest from "../package.json" with { type: "json" };

/**
 * The version of this package and of the packages in a scaffold. A release gives all of them the same
 * version.
 */
export const version: string = manifest.version;
/** The Kubernetes version that the libraries support. */
export const kubernetesVersion = "1.36";

/** The version of helm in the images of hybrid projects. */
export const helmVersion = "4.2.3";
