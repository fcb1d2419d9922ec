/**
 * The release of controller-tools that this one follows. Objects are annotated with it, as they would be by Go's, so
 * that moving a project from one to the other changes no line.
 */
export const controllerToolsVersion = "v0.21.0";
