import { join } from "node:path";
import { type ImageStore, openImageStore } from "@operator-path/kubelet/local-images";
import { parse, stringify } from "yaml";
import { imagesExtension } from "../container-tool/names.ts";

/** The images of a cluster, in its folder. Nothing is made before container-tool puts something there. */
export function imageStoreOf(clusterFolder: string): ImageStore {
  return openImageStore(join(clusterFolder, "images"));
}

/**
 * A kubeconfig that says where the cluster's images are, in an extension of its cluster, which every client passes over
 * and every copy keeps: by it container-tool knows which cluster it works for.
 */
export function nameImageStore(kubeconfigYaml: string, { folder }: ImageStore): string {
  const document = parse(kubeconfigYaml) as { clusters: { cluster: Record<string, unknown> }[] };
  for (const { cluster } of document.clusters) {
    cluster.extensions = [{ name: imagesExtension, extension: { folder } }];
  }
  return stringify(document, { lineWidth: 0 });
}
