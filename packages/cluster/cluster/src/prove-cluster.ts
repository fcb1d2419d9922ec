import { execa } from "execa";
import { z } from "zod";
import type { Cluster } from "./cluster.ts";
import { UserError } from "./user-error.ts";

/** What identifies a cluster: its address, and its certificate authority. */
export interface ServerIdentity {
  readonly server: string;
  /** PEM in Base64, as in a kubeconfig. Undefined: the system's authorities. */
  readonly caData?: string | undefined;
  readonly skipTLSVerify?: boolean | undefined;
}

const view = z.object({
  clusters: z
    .array(
      z.object({
        cluster: z.object({
          server: z.string(),
          "certificate-authority-data": z.string().optional(),
          "insecure-skip-tls-verify": z.boolean().optional(),
        }),
      }),
    )
    .min(1),
});

/**
 * Whether two identities are the same server: same URL, same authority. False if either certificate is not
 * verified.
 */
export function isSameServer(one: ServerIdentity, other: ServerIdentity): boolean {
  const verified = !one.skipTLSVerify && !other.skipTLSVerify;
  return verified && urlOf(one) === urlOf(other) && bytesOf(one) === bytesOf(other);
}

/**
 * Proves that kubectl, run with this environment, writes to this cluster and no other. Compares the server's
 * URL and its certificate authority, not variables or context names. Sends nothing to any cluster.
 *
 * @param kubectl a path, or a name on the PATH of `env`
 * @throws UserError that names both servers
 */
export async function proveCluster(
  cluster: Pick<Cluster, "name" | "kubeConfig">,
  { kubectl, env }: { readonly kubectl: string; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const args = ["config", "view", "--minify", "--flatten", "--raw", "--output=json"];
  const { stdout, stderr, failed } = await execa(kubectl, args, { env, extendEnv: false, reject: false });
  const seen = failed ? undefined : view.safeParse(JSON.parse(stdout)).data?.clusters[0]?.cluster;
  const own = cluster.kubeConfig.getCurrentCluster();
  const is = seen && {
    server: seen.server,
    caData: seen["certificate-authority-data"],
    skipTLSVerify: seen["insecure-skip-tls-verify"],
  };
  if (own && is && isSameServer(own, is)) return;
  const wanted = `the cluster ${cluster.name} at ${own?.server}`;
  const what = is
    ? `kubectl would write to ${is.server}${own?.server === is.server ? ", with another certificate authority" : ""}, not to ${wanted}`
    : `kubectl has no current cluster (${stderr.trim().split("\n")[0]}), and should use ${wanted}`;
  throw new UserError(
    `${what}. Nothing was sent. Check \`kubectl config view --minify\`: KUBECONFIG or a wrapper of kubectl points elsewhere`,
  );
}

function urlOf({ server }: ServerIdentity): string {
  return URL.canParse(server) ? new URL(server).href : server;
}

function bytesOf({ caData }: ServerIdentity): string {
  return Buffer.from(caData ?? "", "base64")
    .toString()
    .trim();
}
