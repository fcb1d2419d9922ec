import type { Service } from "@operator-path/client";

/** A socket of this machine that a Service wants, and where its connections go. */
export interface WantedPort {
  host: string;
  port: number;
  /** Port of the Service. */
  servicePort: number;
}

/** Node ports, as a node has them: here the node's address is the machine's loopback. */
export function wantedNodePorts({ spec }: Service): WantedPort[] {
  if (spec?.type !== "NodePort" && spec?.type !== "LoadBalancer") return [];
  return tcpPorts(spec).flatMap(({ nodePort, port }) =>
    nodePort === undefined ? [] : [{ host: "127.0.0.1", port: nodePort, servicePort: port }],
  );
}

/** What the load balancer of a Service listens on at its address: its ports, and its node ports beside them. */
export function wantedBalancerPorts({ spec }: Service, host: string): WantedPort[] {
  return tcpPorts(spec).map(({ port }) => ({ host, port, servicePort: port }));
}

/** Whether the Service is this load balancer's to serve. */
export function wantsLoadBalancer({ spec, metadata }: Service): boolean {
  return (
    spec?.type === "LoadBalancer" &&
    spec.loadBalancerClass === undefined &&
    metadata?.deletionTimestamp === undefined
  );
}

function tcpPorts(spec: Service["spec"]): { port: number; nodePort?: number }[] {
  return (spec?.ports ?? []).filter(({ protocol = "TCP" }) => protocol === "TCP");
}
