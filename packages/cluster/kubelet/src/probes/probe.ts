import { kubernetesVersion } from "@operator-path/apiserver";
import { DialError } from "../network/connections.ts";
import type { PodNetwork } from "../network/pod-network.ts";
import type { ContainerSlot } from "../pod/container-slot.ts";
import type { NodeContext } from "../pod/pod-context.ts";
import type { ContainerSpec, ProbeSpec } from "../pod/types.ts";
import { createBytePipe } from "../runtime/byte-pipe.ts";
import type { Container } from "../runtime/contracts.ts";

/** Undefined if the probe passed, or else the Event's message after `… probe failed: `. */
export type ProbeFailure = string | undefined;

/** The action of a probe or a lifecycle hook. */
export type Handler = Pick<ProbeSpec, "exec" | "httpGet" | "tcpSocket" | "grpc">;

/**
 * Runs a probe once. HTTP and TCP reach what listens in the Pod, exec runs in the container.
 * @param options.timeoutMs limits exec and HTTP, by the container's clock
 */
export async function runProbe(
  handler: Handler,
  options: {
    container: Container;
    spec: Pick<ContainerSpec, "ports">;
    podIP: string;
    network: PodNetwork;
    timeoutMs: number;
  },
): Promise<ProbeFailure> {
  const portOf = (port: number | string) =>
    typeof port === "number"
      ? port
      : (options.spec.ports?.find(({ name }) => name === port)?.containerPort ?? Number(port));
  if (handler.exec) return execProbe(handler.exec.command ?? [], options.container, options.timeoutMs);
  // A probe comes from the node, which is the first address of its Pods' range.
  const caller = { from: options.podIP.replace(/\d+$/, "1") };
  const reach = async (host: string, port: number): Promise<ProbeFailure> => {
    try {
      (await options.network.dial(host, port, caller)).destroy();
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  };
  if (handler.tcpSocket)
    return reach(handler.tcpSocket.host ?? options.podIP, portOf(handler.tcpSocket.port));
  if (handler.httpGet)
    return httpProbe(handler.httpGet, portOf(handler.httpGet.port), { ...options, caller });
  if (handler.grpc) {
    const { port } = handler.grpc;
    if ((await reach(options.podIP, port)) === undefined) return undefined;
    return `timeout: failed to connect service "${options.podIP}:${port}" within 1s: context deadline exceeded`;
  }
  return undefined;
}

async function httpProbe(
  {
    scheme = "HTTP",
    path: requestedPath = "/",
    host: named,
    httpHeaders = [],
  }: NonNullable<Handler["httpGet"]>,
  port: number,
  options: {
    podIP: string;
    network: PodNetwork;
    container: Container;
    timeoutMs: number;
    caller: { from: string };
  },
): Promise<ProbeFailure> {
  const host = named ?? options.podIP;
  const path = requestedPath.startsWith("/") ? requestedPath : `/${requestedPath}`;
  const url = `${scheme.toLowerCase()}://${host}:${port}${path}`;
  const { clock } = options.container.config;
  const timedOut = new AbortController();
  const timer = clock.setTimeout(() => timedOut.abort(), options.timeoutMs);
  const headers = {
    "user-agent": `kube-probe/${kubernetesVersion.split(".", 2).join(".")}`,
    ...Object.fromEntries(httpHeaders.map(({ name, value }) => [name.toLowerCase(), value])),
  };
  try {
    const request = {
      method: "GET",
      path,
      headers,
      body: "",
      tls: scheme === "HTTPS",
      signal: timedOut.signal,
    };
    const { status } = await options.network.request(host, port, request, options.caller);
    return status >= 200 && status < 400 ? undefined : `HTTP probe failed with statuscode: ${status}`;
  } catch (error) {
    if (timedOut.signal.aborted)
      return `Get "${url}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`;
    // The connection ended before the response.
    return `Get "${url}": ${error instanceof DialError ? error.message : "EOF"}`;
  } finally {
    clock.clearTimeout(timer);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** How much of a command's output is kept, in bytes (the kubelet's maxReadLength). */
const maxOutput = 10 * 1024;

async function execProbe(command: string[], container: Container, timeoutMs: number): Promise<ProbeFailure> {
  let output = Buffer.alloc(0);
  const stdin = createBytePipe();
  stdin.end();
  try {
    const spawned = await container.spawn({
      argv: command,
      tty: false,
      stdin,
      onOutput(_, chunk) {
        if (output.length < maxOutput) output = Buffer.concat([output, chunk]).subarray(0, maxOutput);
      },
    });
    const { clock } = container.config;
    let timedOut = false;
    const timer = clock.setTimeout(() => {
      timedOut = true;
      spawned.process.signal("SIGKILL");
    }, timeoutMs);
    const code = await spawned.exited;
    clock.clearTimeout(timer);
    if (timedOut) return `command timed out: "${command.join(" ")}" timed out after ${timeoutMs / 1000}s`;
    return code === 0 ? undefined : output.toString();
  } catch (error) {
    return `error executing command in container: ${error instanceof Error ? error.message : String(error)}`;
  }
}

type Hook = NonNullable<NonNullable<ContainerSpec["lifecycle"]>["preStop"]>;

/** Where a hook runs, and its time limit. */
export interface HookOptions {
  readonly container: Container;
  readonly slot: ContainerSlot;
  readonly node: NodeContext;
  readonly podIP: string;
  readonly limitMs: number;
}

/** Runs a postStart or preStop hook. Resolves with the reason of a failure, or with undefined. */
export async function runHook(
  hook: Hook,
  { container, slot, node, podIP, limitMs }: HookOptions,
): Promise<string | undefined> {
  if (hook.sleep) {
    await node.clock.sleep(Math.min(hook.sleep.seconds * 1000, limitMs));
    return undefined;
  }
  return runProbe(hook, { container, spec: slot.spec, podIP, network: node.network, timeoutMs: limitMs });
}
