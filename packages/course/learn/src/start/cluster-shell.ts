import { rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { findTool, quote } from "@operator-path/tools";
import { findPnpm } from "@operator-path/walkthrough";
import type { PageFile } from "../pages.ts";
import { readPage } from "../read-page.ts";
import { createLearnerEnvironment, pnpmSettings } from "./learner-environment.ts";
import { needsHelm, workshopsOf } from "./session.ts";
import { makeWorkshop } from "./workshop.ts";

export interface ClusterShellOptions {
  readonly root: string;
  /** Name of a folder below `tutorials/`. */
  readonly tutorial: string;
  /** A page of the tutorial. Its project's folder is made too, as `pnpm start` makes it. */
  readonly page?: PageFile;
  /** Folder for the commands. Its old content is removed. */
  readonly bin: string;
  /** A kubeconfig with the cluster's context as the current one. */
  readonly kubeconfig: string;
  /** Absolute path of the program that Makefiles call as `$(CONTAINER_TOOL)`. */
  readonly containerTool: string;
  /** More variables: KIND_CLUSTER, … */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Returns lines for a POSIX shell in which a person can follow a tutorial's pages by hand, on a running
 * cluster. Throws ToolNotFoundError, and the errors of `makeWorkshop`.
 */
export async function createClusterShell(options: ClusterShellOptions): Promise<string[]> {
  const { root, page, signal } = options;
  const tutorial = join(root, "tutorials", options.tutorial);
  const [kubectl, kind] = await Promise.all([
    findTool("kubectl"),
    findTool("kind", { mayBuild: false }).catch(() => undefined),
  ]);
  const helm = (await needsHelm(root, options.tutorial)) ? (await findTool("helm")).path : undefined;
  await rm(options.bin, { recursive: true, force: true });
  const { env, exports } = await createLearnerEnvironment({
    bin: options.bin,
    kubectl: kubectl.path,
    ...(helm !== undefined && { helm }),
    containerTool: options.containerTool,
    // A person who installed the repository with npx may have no pnpm.
    pnpm: findPnpm(process.env) ?? ["npx", "--yes", "pnpm@12"],
    variables: {
      KUBECONFIG: options.kubeconfig,
      TUTORIAL: tutorial,
      CONTAINER_TOOL: "container-tool",
      ...(await pnpmSettings(root)),
      ...options.variables,
    },
  });
  if (kind) await symlink(kind.path, join(options.bin, "kind"));
  const lines = exports.trimEnd().split("\n");
  if (page === undefined) return lines;
  const workshops = workshopsOf(root, basename(dirname(page.path)));
  const { opensIn } = await makeWorkshop({ root, tutorial, workshops, env, signal }, readPage(page));
  return [...lines, `cd ${quote(opensIn)}`];
}
