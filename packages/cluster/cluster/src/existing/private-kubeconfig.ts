import { executablesOnPath } from "@operator-path/tools";
import { stringify } from "yaml";
import { ourContext } from "../kind/one-context.ts";
import type { ExistingContext } from "./context.ts";

/** What a plugin needs of the person's environment: where it finds its own files and programs. Secrets are not among it. */
const ofTheEnvironment = [
  "HOME",
  "PATH",
  "USER",
  "XDG_CONFIG_HOME",
  "XDG_CACHE_HOME",
  "AWS_PROFILE",
  "AWS_REGION",
  "CLOUDSDK_CONFIG",
];

/**
 * A kubeconfig of that context alone, called `operator-path`, whose namespace is another. Extensions stay: by one of them
 * container-tool finds the images of an embedded cluster.
 */
export async function privateKubeconfig(
  { cluster, credentials }: ExistingContext,
  namespace: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      "current-context": ourContext,
      contexts: [{ name: ourContext, context: { cluster: ourContext, user: ourContext, namespace } }],
      clusters: [{ name: ourContext, cluster }],
      users: [{ name: ourContext, user: await withEnvironment(credentials, env) }],
    },
    { lineWidth: 0 },
  );
}

/** Shells of pages have a HOME and a PATH of their own: the plugin gets the person's. */
async function withEnvironment(
  credentials: ExistingContext["credentials"],
  env: NodeJS.ProcessEnv,
): Promise<Readonly<Record<string, unknown>>> {
  const exec = credentials.exec as
    | { command: string; env?: { name: string; value: string }[] | null }
    | undefined;
  if (!exec) return credentials;
  const own = exec.env ?? [];
  const inherited = ofTheEnvironment.flatMap((name) =>
    env[name] === undefined || own.some((one) => one.name === name) ? [] : [{ name, value: env[name] }],
  );
  const [found = exec.command] = exec.command.includes("/") ? [] : await executablesOnPath(exec.command, env);
  return { ...credentials, exec: { ...exec, command: found, env: [...own, ...inherited] } };
}
