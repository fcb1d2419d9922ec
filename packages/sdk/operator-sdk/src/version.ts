/** Of this package and of those that a scaffold asks for; the test compares it with package.json. */
export const version = "0.1.0";
/** The Kubernetes version that the libraries are made for. */
export const kubernetesVersion = "1.36";

/** Of the helm in the images of hybrid projects. */
export const helmVersion = "4.2.3";
