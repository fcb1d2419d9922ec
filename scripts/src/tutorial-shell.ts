import { rm } from "node:fs/promises";
import { join } from "node:path";
import { containerToolPath, type Engine, kubeconfigPathFor } from "@operator-path/kind";
import type { PageFile } from "@operator-path/learn";
import { clusterVariables } from "./next-steps.ts";

const root = join(import.meta.dirname, "../..");

/** Returns a tutorial's page by its number. Throws UserError when it does not exist. */
export async function findPage(tutorial: string, number: number): Promise<PageFile | undefined> {
  const { choosePages } = await import("@operator-path/learn");
  const [page] = await choosePages([`${tutorial}/${number}`], root, root);
  return page;
}

export interface TutorialShellOptions {
  /** The name of the cluster. */
  readonly name: string;
  readonly tutorial: string;
  readonly page: PageFile | undefined;
  readonly engine: Engine;
  readonly kubeconfigPath: string | undefined;
  readonly signal: AbortSignal;
}

/** Returns shell lines for following the tutorial on the cluster. kind-down removes the files that they name. */
export async function tutorialShell(o: TutorialShellOptions): Promise<string[]> {
  const { createClusterShell } = await import("@operator-path/learn/cluster-shell");
  const { name, engine, page, tutorial, signal } = o;
  return createClusterShell({
    root,
    tutorial,
    ...(page && { page }),
    bin: join(shellFolder(name), "bin"),
    kubeconfig: kubeconfigPathFor(o.kubeconfigPath, process.env),
    containerTool: containerToolPath(),
    variables: clusterVariables(name, engine),
    signal,
  });
}

/** Removes the files that the lines name. */
export async function removeTutorialShell(name: string): Promise<void> {
  if (name.includes("/")) return;
  await rm(shellFolder(name), { recursive: true, force: true });
}

function shellFolder(name: string): string {
  return join(root, ".operator-path", `kind-${name}`);
}
