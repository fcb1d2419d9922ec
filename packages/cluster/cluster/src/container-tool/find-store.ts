import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { type ImageStore, openImageStore } from "@operator-path/kubelet/local-images";
import { clusterCommand } from "@operator-path/tools";
import { parse } from "yaml";
import { z } from "zod";
import { UserError } from "../user-error.ts";
import { imagesExtension, imagesVariable } from "./path.ts";

const kubeconfig = z.object({
  "current-context": z.string().optional(),
  contexts: z.array(z.object({ name: z.string(), context: z.object({ cluster: z.string() }) })).optional(),
  clusters: z
    .array(
      z.object({
        name: z.string(),
        cluster: z.object({
          extensions: z.array(z.object({ name: z.string(), extension: z.unknown() })).optional(),
        }),
      }),
    )
    .optional(),
});

const extension = z.object({ folder: z.string() });

/**
 * Opens the image store of the current embedded cluster, which its kubeconfig names. OPERATOR_PATH_IMAGES
 * names the folder directly.
 *
 * @throws UserError with what to do, if there is no such cluster
 */
export async function findStore(env: NodeJS.ProcessEnv = process.env): Promise<ImageStore> {
  const given = env[imagesVariable];
  if (given) return openImageStore(given);
  const paths = (env.KUBECONFIG ?? "").split(delimiter).filter(Boolean);
  const [path = join(env.HOME ?? homedir(), ".kube", "config")] = paths;
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) {
    throw new UserError(
      `there is no kubeconfig at ${path}: start a cluster with \`${clusterCommand} up\`, and export the KUBECONFIG that it prints`,
    );
  }
  const folder = imagesFolder(text);
  if (folder === undefined) {
    throw new UserError(
      `the current context of ${path} is not an embedded operator-path cluster, and this tool makes images only for those: use CONTAINER_TOOL=docker with it, or export the KUBECONFIG that \`${clusterCommand} up\` prints`,
    );
  }
  return openImageStore(folder);
}

function imagesFolder(text: string): string | undefined {
  let document: unknown;
  try {
    document = parse(text);
  } catch {
    return undefined;
  }
  const config = kubeconfig.safeParse(document).data;
  const context = config?.contexts?.find(({ name }) => name === config["current-context"])?.context;
  const cluster = config?.clusters?.find(({ name }) => name === context?.cluster)?.cluster;
  const found = cluster?.extensions?.find(({ name }) => name === imagesExtension);
  return extension.safeParse(found?.extension).data?.folder;
}
