import type { PodNetwork } from "../network/pod-network.ts";
import { createBytePipe } from "../runtime/byte-pipe.ts";
import type { Container } from "../runtime/container.ts";
import type { ContainerSpec, ProbeSpec } from "./types.ts";

/** Undefined: passed. Otherwise what the Event says after `… probe failed: `. */
export type ProbeFailure = string | undefined;

/** The part of a probe, or of a lifecycle hook, that says what to do. */
export type Handler = Pick<ProbeSpec, "exec" | "httpGet" | "tcpSocket" | "grpc">;

/**
 * Carries out a probe once, in process: HTTP and TCP reach the simulated listeners, exec runs in the container.
 * @param timeoutMs counts for exec by the container's clock.
 */
export async function runProbe(
  handler: Handler,
  o: {
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
      : (o.spec.ports?.find(({ name }) => name === port)?.containerPort ?? Number(port));
  const refused = (host: string, port: number) => `dial tcp ${host}:${port}: connect: connection refused`;
  if (handler.exec) return execProbe(handler.exec.command ?? [], o.container, o.timeoutMs);
  if (handler.tcpSocket) {
    const port = portOf(handler.tcpSocket.port);
    const host = handler.tcpSocket.host ?? o.podIP;
    return o.network.connect(host, port) ? undefined : refused(host, port);
  }
  if (handler.httpGet) {
    const { scheme = "HTTP", path = "/", host = o.podIP, httpHeaders = [] } = handler.httpGet;
    const port = portOf(handler.httpGet.port);
    const url = `${scheme.toLowerCase()}://${host}:${port}${path.startsWith("/") ? path : `/${path}`}`;
    const listener = o.network.connect(host, port);
    if (!listener) return `Get "${url}": ${refused(host, port)}`;
    if (!listener.http) return `Get "${url}": EOF`;
    const response = await listener.http({
      method: "GET",
      path: path.startsWith("/") ? path : `/${path}`,
      headers: {
        "user-agent": "kube-probe/1.36",
        ...Object.fromEntries(httpHeaders.map(({ name, value }) => [name.toLowerCase(), value])),
      },
      body: "",
      // A probe comes from the node: the first address of its Pods' range.
      from: o.podIP.replace(/\d+$/, "1"),
    });
    if (response.status >= 200 && response.status < 400) return undefined;
    return `HTTP probe failed with statuscode: ${response.status}`;
  }
  if (handler.grpc) {
    const { port } = handler.grpc;
    return o.network.connect(o.podIP, port)
      ? undefined
      : `timeout: failed to connect service "${o.podIP}:${port}" within 1s: context deadline exceeded`;
  }
  return undefined;
}

/** Bytes of what a probe's command says that are kept (kubelet's maxReadLength). */
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
