import type { Cluster } from "@operator-path/cluster";
import { UserError } from "@operator-path/cluster/user-error";

/** The provider options of the command line. */
export interface ProviderOptions {
  /** Default "embedded". */
  readonly provider?: Cluster["provider"];
  /** kind: the name of a running cluster, which is kept. Default: creates a cluster, and deletes it. */
  readonly reuse?: string;
  /** existing: a context of the person's kubeconfig. */
  readonly context?: string;
  /** existing, and kind with `reuse`: agree without a question. */
  readonly yes?: boolean;
  readonly allowExecPlugin?: boolean;
  readonly allowInsecureTls?: boolean;
}

/** The provider of each flag. */
const flags = {
  reuse: ["kind", "--reuse"],
  context: ["existing", "--context"],
  yes: ["existing", "--yes"],
  allowExecPlugin: ["existing", "--allow-exec-plugin"],
  allowInsecureTls: ["existing", "--allow-insecure-tls"],
} as const;

/** Throws UserError for flags that cannot be combined. */
export function checkProviderOptions(o: ProviderOptions): void {
  for (const [key, [provider, flag]] of Object.entries(flags)) {
    const fits = o.provider === provider || (key === "yes" && o.provider === "kind" && o.reuse !== undefined);
    if (o[key as keyof typeof flags] !== undefined && !fits)
      throw new UserError(`${flag} is for --provider ${provider}`);
  }
  if (o.provider === "existing" && o.context === undefined)
    throw new UserError("--provider existing needs --context: one of `kubectl config get-contexts`");
}
