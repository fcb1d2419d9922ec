import { runManyReal } from "./run-many.ts";
import { type Provider, startTarget } from "./target.ts";

export interface RealFlags {
  provider?: Provider;
  from: number;
  count: number;
  /** Runs only this seed. */
  seed?: number;
}

/** `pnpm proof faults --real`. Resolves to the number of failures. */
export async function runReal(flags: RealFlags, print: (line: string) => void): Promise<number> {
  const providers = flags.provider ? [flags.provider] : (["embedded", "envtest"] as const);
  let failures = 0;
  for (const provider of providers) {
    const target = await startTarget(provider, process.env);
    if (!target) {
      print(
        `${provider}: skipped, etcd and kube-apiserver are missing (set KUBEBUILDER_ASSETS, or run pnpm proof conformance)`,
      );
      continue;
    }
    const range = flags.seed === undefined ? flags : { from: flags.seed, count: 1 };
    const { histories, failed, connections, events, seconds } = await runManyReal(
      target,
      range,
      print,
    ).finally(() => target.stop());
    print(
      `${provider}: ${histories} histories, ${failed} failed, ${seconds.toFixed(1)} s: ${connections} connections, ${events} events`,
    );
    failures += failed;
  }
  return failures;
}
