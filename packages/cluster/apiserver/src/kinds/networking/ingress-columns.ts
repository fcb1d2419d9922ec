import type { Named } from "../../server/table/printer.ts";
import { ageOf, definePrinter, nameOf } from "../../server/table/printer.ts";
import { formatLoadBalancer, NONE } from "../printing.ts";

interface Ingress extends Named {
  spec?: { ingressClassName?: string; rules?: { host?: string }[]; tls?: object[] };
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } };
}

/** Hosts that are named before the rest is only counted. */
const SHOWN = 3;

export const ingressPrinter = definePrinter<Ingress>((ingress, context) => [
  nameOf(ingress),
  ingress.spec?.ingressClassName ?? NONE,
  formatHosts(ingress.spec?.rules ?? []),
  formatLoadBalancer(ingress.status?.loadBalancer),
  (ingress.spec?.tls ?? []).length > 0 ? "80, 443" : "80",
  ageOf(ingress, context),
]);

function formatHosts(rules: { host?: string }[]): string {
  const hosts: string[] = [];
  for (const { host = "" } of rules) {
    if (hosts.length === SHOWN) return `${hosts.join(",")} + ${rules.length - SHOWN} more...`;
    if (host !== "") hosts.push(host);
  }
  return hosts.length === 0 ? "*" : hosts.join(",");
}
