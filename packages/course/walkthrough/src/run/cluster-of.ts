import { existsSync } from "node:fs";
import { join } from "node:path";
import { type NodePlan, nameNodes, readKindConfig } from "@operator-path/cluster";

/**
 * The cluster that a tutorial wants: as its kind-cluster.yaml has it, so that a page shows the same nodes wherever it
 * runs. Without that file: one node, in a cluster called `name`. Throws UserError for a file that is wrong.
 */
export async function clusterOf(
  tutorial: string,
  name: string,
): Promise<{ name: string; nodes?: NodePlan[] }> {
  const file = join(tutorial, "kind-cluster.yaml");
  if (!existsSync(file)) return { name };
  // kind's own name for a cluster that has none.
  const { name: own = "kind", nodes } = await readKindConfig(file);
  return { name: own, ...(nodes && { nodes: nameNodes(own, nodes) }) };
}
