import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { KubeObject } from "@operator-path/client";
import { findTool } from "@operator-path/tools";
import { parseAllDocuments } from "yaml";

/**
 * Returns what `kubectl kustomize` makes of a folder.
 *
 * @throws Error with kubectl's words; ToolNotFoundError when there is no kubectl
 */
export async function kustomize(folder: string): Promise<KubeObject[]> {
  const { path } = await findTool("kubectl");
  const { stdout } = await promisify(execFile)(path, ["kustomize", folder]);
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubeObject);
}
