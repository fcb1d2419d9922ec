import type { Cluster } from "@operator-path/cluster";
import { UserError } from "@operator-path/cluster/user-error";

/** What pages run on, as the command line says it. */
export interface ProviderOptions {
  /** Default "embedded". */
  readonly provider?: Cluster["provider"];
  /** kind: a cluster that is there, by its name, and stays. Default: one is created, and deleted. */
  readonly reuse?: string;
  /** existing: the context of the person's kubeconfig. */
  readonly context?: string;
  /** existing, and kind with `reuse`: what would be asked is agreed to. */
  readonly yes?: boolean;
  readonly allowExecPlugin?: boolean;
  readonly allowInsecureTls?: boolean;
}

/** Which provider each flag is for. */
const flags = {
  reuse: ["kind", "--reuse"],
  context: ["existing", "--context"],
  yes: ["existing", "--yes"],
  allowExecPlugin: ["existing", "--allow-exec-plugin"],
  allowInsecureTls: ["existing", "--allow-insecure-tls"],
} as const;

/** Throws UserError for flags that do not go together. */
export function checkProviderOptions(o: ProviderOptions): void {
  for (const [key, [provider, flag]] of Object.entries(flags)) {
    const fits = o.provider === provider || (key === "yes" && o.provider === "kind" && o.reuse !== undefined);
    if (o[key as keyof typeof flags] !== undefined && !fits)
      throw new UserError(`${flag} is for --provider ${provider}`);
  }
  if (o.provider === "existing" && o.context === undefined)
    throw new UserError(
      "--provider existing needs --context: which of `kubectl config get-contexts` it is to be",
    );
}
