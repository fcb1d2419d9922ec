import { readFile, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { findTool, quote } from "@operator-path/tools";
import { findPnpm, parsePage } from "@operator-path/walkthrough";
import type { PageFile } from "../pages.ts";
import { createLearnerEnvironment, pnpmSettings } from "./learner-environment.ts";
import { asksForHelm, workshopsOf } from "./session.ts";
import { makeWorkshop } from "./workshop.ts";

export interface ClusterShellOptions {
  readonly root: string;
  /** Name of a folder below `tutorials/`. */
  readonly tutorial: string;
  /** A page of it whose project's folder is made too, as `pnpm start` makes it. */
  readonly page?: PageFile;
  /** For the commands; what is there is removed first. */
  readonly bin: string;
  /** Has the cluster's context, as the current one. */
  readonly kubeconfig: string;
  /** What `$(CONTAINER_TOOL)` of a Makefile calls, absolute. */
  readonly containerTool: string;
  /** Further variables: KIND_CLUSTER, … */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Lines for a POSIX shell in which a tutorial's pages can be followed by hand, on a cluster that is there and stays. Throws
 * ToolNotFoundError, and what making the page's folder throws.
 */
export async function createClusterShell(o: ClusterShellOptions): Promise<string[]> {
  const { root, page, signal } = o;
  const tutorial = join(root, "tutorials", o.tutorial);
  const [kubectl, kind] = await Promise.all([
    findTool("kubectl"),
    findTool("kind", { mayBuild: false }).catch(() => undefined),
  ]);
  const helm = (await asksForHelm(root, o.tutorial)) ? (await findTool("helm")).path : undefined;
  await rm(o.bin, { recursive: true, force: true });
  const { env, exports } = await createLearnerEnvironment({
    bin: o.bin,
    kubectl: kubectl.path,
    ...(helm !== undefined && { helm }),
    containerTool: o.containerTool,
    // Who has installed the repository with npx has no pnpm of their own.
    pnpm: findPnpm(process.env) ?? ["npx", "--yes", "pnpm@12"],
    variables: {
      KUBECONFIG: o.kubeconfig,
      TUTORIAL: tutorial,
      CONTAINER_TOOL: "container-tool",
      ...(await pnpmSettings(root)),
      ...o.variables,
    },
  });
  if (kind) await symlink(kind.path, join(o.bin, "kind"));
  const lines = exports.trimEnd().split("\n");
  if (page === undefined) return lines;
  const workshops = workshopsOf(root, basename(dirname(page.path)));
  const parsed = parsePage(await readFile(page.path, "utf8"), page.path);
  const { opensIn } = await makeWorkshop({ root, tutorial, workshops, env, signal }, parsed);
  return [...lines, `cd ${quote(opensIn)}`];
}
