/**
 * The addresses of one node's Pods. .1 is the bridge, .2 to .254 are for Pods. Like CNI's host-local, it
 * allocates them in turn.
 */
export interface AddressRange {
  /** @throws Error when all addresses are taken */
  allocate(): string;
  release(ip: string): void;
}

/** @param cidr a /24, such as `10.244.1.0/24` */
export function createAddressRange(cidr: string): AddressRange {
  const prefix = /^(\d+\.\d+\.\d+)\.0\/24$/.exec(cidr)?.[1];
  if (prefix === undefined) throw new Error(`Pod range ${cidr}: expected a /24 such as 10.244.0.0/24`);
  const taken = new Set<number>();
  let last = 1;
  const hostOf = (ip: string) =>
    ip.startsWith(`${prefix}.`) ? Number(ip.slice(prefix.length + 1)) : Number.NaN;
  return {
    allocate() {
      for (let tried = 0; tried < 253; tried++) {
        last = last >= 254 ? 2 : last + 1;
        if (taken.has(last)) continue;
        taken.add(last);
        return `${prefix}.${last}`;
      }
      throw new Error(`no addresses left in the Pod range ${cidr}`);
    },
    release(ip) {
      taken.delete(hostOf(ip));
    },
  };
}
