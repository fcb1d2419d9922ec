import { once } from "node:events";
import type { KubectlBench } from "./kubectl.ts";

/** A running `kubectl port-forward`. */
export interface Forwarding {
  /** Ports on 127.0.0.1, in the requested order. */
  ports: number[];
  /** Everything printed so far, including standard error. */
  output(): string;
  /** Resolves with its exit code. */
  ended: Promise<number | null>;
  stop(): Promise<void>;
}

/**
 * Starts a port-forward and waits until it listens. `command` is like `pod/web :80 :81`, with free local
 * ports.
 */
export async function portForward(
  bench: KubectlBench,
  command: string,
  env: Record<string, string> = {},
): Promise<Forwarding> {
  const child = bench.start(`port-forward --address 127.0.0.1 ${command}`, env);
  let output = "";
  const wanted = command.split(" ").filter((word) => word.includes(":")).length;
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const ports = () =>
    [...output.matchAll(/Forwarding from 127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port));
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (ports().length === wanted) resolve();
      });
    }
    void ended.then(() => reject(new Error(`kubectl port-forward ${command} ended: ${output}`)));
  });
  return {
    ports: ports(),
    output: () => output,
    ended,
    async stop() {
      child.kill();
      await ended;
    },
  };
}
