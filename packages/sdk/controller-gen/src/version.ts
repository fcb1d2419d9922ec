/**
 * The version of controller-tools that this package matches. CRDs have it in an annotation, as Go's do, so
 * switching a project from Go's controller-gen to this one changes no line.
 */
export const controllerToolsVersion = "v0.21.0";
