import manifest from "../package.json" with { type: "json" };

/** Of this package and of the packages that a scaffold asks for: a release gives all of them one version. */
export const version: string = manifest.version;
/** The Kubernetes version that the libraries are made for. */
export const kubernetesVersion = "1.36";

/** Of the helm in the images of hybrid projects. */
export const helmVersion = "4.2.3";
