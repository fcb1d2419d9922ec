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

/** `operator-sdk init`: a project in this folder. */
export async function init(
  flags: InitFlags,
  { cwd, stdout, prompts, checkout }: Surroundings,
): Promise<void> {
  checkVersionOfProject(flags);
  const { plugin, note = "" } = findPlugin(flags.plugins, ["typescript", "hybrid"]);
  const hybrid = plugin === "hybrid";
  const tree = openTree(cwd);
  if (tree.read("PROJECT") !== undefined) {
    throw new CommandError("there is a PROJECT in this folder already: go on with operator-sdk create api");
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
    // For the shell of a package script: the name that the Makefile has is not repeated there, and cannot differ.
    image: `\${IMG:?say which image, as in IMG=${imageBase}:v0.0.1}`,
    leaderElectionId: `${projectName}.${domain}`,
    sdkRange: `^${version}`,
    fromCheckout: checkout !== undefined,
    overrides: [] as readonly string[],
    storeDir: "",
  };
  // Clashes are found before anything takes time.
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

function checkVersionOfProject({ projectVersion }: InitFlags): void {
  if (projectVersion !== undefined && projectVersion !== "3") {
    throw new CommandError(
      `--project-version ${JSON.stringify(projectVersion)}: there is one, 3: leave it out`,
    );
  }
}
