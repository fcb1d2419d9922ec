import type { Finding, Purpose } from "../finding.ts";
import type { Probe, Scene } from "../probe.ts";

/**
 * A port with a fixed number. All others (API servers, webhooks of clusters, port-forward) are free ports.
 */
export interface FixedPort {
  readonly host: string;
  readonly port: number;
  /** The program that listens there. */
  readonly whose: string;
  readonly neededFor: readonly Purpose[];
}

/** The first address of the embedded cluster's load balancers. It stands for all of them. */
const balancer = "127.20.0.1";

export const fixedPorts: readonly FixedPort[] = [
  { host: balancer, port: 8080, whose: "the load balancer of 03-nginx-operator/2", neededFor: ["embedded"] },
  { host: balancer, port: 9090, whose: "the load balancer of 03-nginx-operator/2", neededFor: ["embedded"] },
  {
    host: "127.0.0.1",
    port: 5001,
    whose: "the registry of kind-up --registry, which may be running already",
    neededFor: ["kind"],
  },
  {
    host: "127.0.0.1",
    port: 9443,
    whose: "the webhooks of an operator that make run starts",
    neededFor: ["project"],
  },
];

/** @param ports tests use other ports */
export function portsProbe(ports: readonly FixedPort[] = fixedPorts): Probe {
  const neededFor = [...new Set(ports.flatMap(({ neededFor }) => neededFor))];
  return { subject: "ports", neededFor, look: async (scene) => [await look(ports, neededFor, scene)] };
}

async function look(
  ports: readonly FixedPort[],
  neededFor: readonly Purpose[],
  scene: Scene,
): Promise<Finding> {
  const { tryPort } = scene.machine;
  const tried = await Promise.all(
    ports.map(async (port) => ({ ...port, code: await tryPort(port.host, port.port) })),
  );
  const base = { subject: "ports", neededFor };
  const taken = tried.filter(({ code }) => code !== undefined && code !== "EADDRNOTAVAIL");
  if (taken.length > 0) {
    return {
      ...base,
      state: "weak",
      found: `taken: ${taken.map(({ host, port }) => `${host}:${port}`).join(", ")}`,
      details: taken.map(({ host, port, whose, code }) => `${host}:${port} (${code}) is needed by ${whose}.`),
      mend: whoListens(taken, scene),
    };
  }
  if (tried.some(({ code }) => code === "EADDRNOTAVAIL")) {
    return {
      ...base,
      state: "weak",
      found: `no address ${balancer}`,
      details: [`Load balancers of the embedded cluster get 127.0.0.1 instead of ${balancer}.`],
      mend: {
        commands: [`sudo ifconfig lo0 alias ${balancer} up`],
        words: ["It lasts until the next restart."],
      },
    };
  }
  return { ...base, state: "ok", found: `free: ${ports.map(({ port }) => port).join(", ")}` };
}

/** The commands only show the program: ending it is its owner's decision. */
function whoListens(taken: readonly FixedPort[], { system }: Scene): { commands: string[] } {
  const numbers = [...new Set(taken.map(({ port }) => port))];
  return {
    commands: numbers.map((port) =>
      system.family === "macos"
        ? `sudo lsof -nP -iTCP:${port} -sTCP:LISTEN`
        : `sudo ss -ltnp 'sport = :${port}'`,
    ),
  };
}
