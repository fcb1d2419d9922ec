export { runOperatorSdk } from "./command/program.ts";
export type { Prompts, Surroundings } from "./command/surroundings.ts";
export { terminalSurroundings } from "./command/terminal-surroundings.ts";
export { CommandError } from "./command-error.ts";
export { type KindNames, kindNames } from "./project/kind-names.ts";
export { checkDomain, checkGroup, checkKind, checkProjectName, projectNameOf } from "./project/names.ts";
export { type Project, type ProjectResource, parseProject } from "./project/project-file.ts";
export { collectTarballs } from "./workspace/collect-tarballs.ts";
export { copyTarballs } from "./workspace/copy-tarballs.ts";
export { findCheckout } from "./workspace/find-checkout.ts";
export { type DeriveLockfileOptions, deriveLockfile } from "./workspace/lockfile.ts";
export { type PackDependenciesOptions, packDependencies } from "./workspace/pack-dependencies.ts";
export { type PackedPackage, type PackOptions, packPackages } from "./workspace/pack-packages.ts";
export { type PackedPage, packedLinks } from "./workspace/packed-links.ts";
export { type Publication, readPublication, repositoryPage } from "./workspace/publication.ts";
export {
  type ManifestOfProject,
  manifestWithTarballs,
  overridesFor,
  referenceTo,
} from "./workspace/tarball-references.ts";
export { writeDist } from "./workspace/write-dist.ts";
