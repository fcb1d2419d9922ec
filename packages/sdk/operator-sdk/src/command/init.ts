import { basename } from "node:path";
import { CommandError } from "../command-error.ts";
import { checkDomain, checkProjectName, checkRepo, projectNameOf } from "../project/names.ts";
import { findPlugin, hybridLayout } from "../project/plugins.ts";
import { formatProject, layout, type Project } from "../project/project-file.ts";
import { renderSet } from "../scaffold/templates.ts";
import { openTree } from "../scaffold/tree.ts";
import { helmVersion, version } from "../version.ts";
import { packForProject } from "../workspace/pack-for-project.ts";
import type { Surroundings } from "./surroundings.ts";

const lockfileName = "pnpm-lock.yaml";

export interface InitFlags {
  domain?: string;
  repo?: string;
  projectName?: string;
  plugins?: string;
  projectVersion?: string;
}

/**
 * Runs `operator-sdk init`, which creates a project in the current folder.
 *
 * @throws CommandError if the flags or the folder do not allow it; then nothing is written
 */
export async function init(
  flags: InitFlags,
  { cwd, stdout, prompts, checkout }: Surroundings,
): Promise<void> {
  checkVersionOfProject(flags);
  const { plugin, note = "" } = findPlugin(flags.plugins, ["typescript", "hybrid"]);
  const hybrid = plugin === "hybrid";
  const tree = openTree(cwd);
  if (tree.read("PROJECT") !== undefined) {
    throw new CommandError("this folder already has a PROJECT: go on with operator-sdk create api");
  }
  const projectName = checkProjectName(flags.projectName ?? projectNameOf(basename(cwd)));
  const domain =
    flags.domain ??
    (await prompts?.text("Domain of your groups (--domain)", checkDomain, "example.com")) ??
    "my.domain";
  const project: Project = {
    domain,
    layout: hybrid ? [hybridLayout, layout] : [layout],
    projectName,
    repo: checkRepo(flags.repo ?? projectName),
    version: "3",
  };
  stdout(`${note}Writing kustomize manifests for you to edit...\nWriting scaffold for you to edit...\n`);
  tree.create("PROJECT", formatProject(project));
  const imageBase = `${domain}/${projectName}`;
  const view = {
    ...{ domain, projectName, imageBase, hybrid, helmVersion },
    // This is for the shell of a package script. It names no default image, which would repeat the one in the
    // Makefile.
    image: `\${IMG:?say which image, as in IMG=${imageBase}:v0.0.1}`,
    leaderElectionId: `${projectName}.${domain}`,
    sdkRange: `^${version}`,
    fromCheckout: checkout !== undefined,
    overrides: [] as readonly string[],
    storeDir: "",
  };
  // This finds existing files before the slow steps.
  for (const set of hybrid ? ["init", "hybrid"] : ["init"]) {
    for (const { path, text } of renderSet(set, view)) tree.create(path, text);
  }
  if (checkout !== undefined) tree.create(lockfileName, "");
  tree.check();
  if (checkout !== undefined) {
    const packed = await packForProject({
      ...{ checkout, folder: cwd, packageJson: tree.read("package.json") ?? "{}" },
      onCompile: () => stdout("Packing the libraries of this checkout, until they are published...\n"),
    });
    const { overrides, storeDir = "" } = packed;
    for (const { path, text } of renderSet("init", { ...view, overrides, storeDir })) {
      tree.edit(path, () => text);
    }
    tree.edit(lockfileName, () => packed.lockfile);
  }
  tree.commit();
  const kinds = hybrid ? "$ operator-sdk create api --plugins helm.sdk.operatorframework.io/v1\n" : "";
  stdout(`Next: define a resource with:\n${kinds}$ operator-sdk create api\n`);
}

/** @throws CommandError for any version but 3 */
function checkVersionOfProject({ projectVersion }: InitFlags): void {
  if (projectVersion !== undefined && projectVersion !== "3") {
    throw new CommandError(
      `--project-version ${JSON.stringify(projectVersion)}: the only version is 3: remove the flag`,
    );
  }
}
