import type { Named } from "../../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../../server/table/printer.ts";
import { formatLabels, formatLoadBalancer, joinOr, NONE } from "../../printing.ts";

interface Service extends Named {
  spec?: {
    type?: string;
    clusterIPs?: string[];
    externalIPs?: string[];
    externalName?: string;
    ports?: { port?: number; nodePort?: number; protocol?: string }[];
    selector?: Record<string, string>;
  };
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } };
}

export const servicePrinter = definePrinter<Service>((service, context) => [
  nameOf(service),
  service.spec?.type ?? "",
  service.spec?.clusterIPs?.[0] ?? NONE,
  externalAddress(service),
  formatPorts(service),
  ageOf(service, context),
  formatLabels(service.spec?.selector),
]);

function externalAddress({ spec, status }: Service): string {
  const own = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case "ClusterIP":
    case "NodePort":
      return joinOr(own, NONE);
    case "LoadBalancer": {
      const balanced = formatLoadBalancer(status?.loadBalancer);
      return joinOr(balanced === "" ? own : [balanced, ...own], "<pending>");
    }
    case "ExternalName":
      return spec.externalName ?? "";
    default:
      return "<unknown>";
  }
}

function formatPorts({ spec }: Service): string {
  const ports = (spec?.ports ?? []).map(({ port = 0, nodePort = 0, protocol = "" }) => {
    return `${port}${nodePort > 0 ? `:${nodePort}` : ""}/${protocol}`;
  });
  return joinOr(ports, NONE);
}
