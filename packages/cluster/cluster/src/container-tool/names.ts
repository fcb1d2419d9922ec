/** The extension of a kubeconfig's cluster that says where the cluster's images are: `{ folder: <absolute path> }`. */
export const imagesExtension = "operator-path/images";

/** Names that folder for container-tool, whatever the kubeconfig says. */
export const imagesVariable = "OPERATOR_PATH_IMAGES";
