import dgram from "node:dgram";
import net from "node:net";
import { kindOfAddress } from "./loopback.ts";

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Methods = Record<string, Method>;

const isLoopback = (address: unknown) =>
  typeof address === "string" && kindOfAddress(address, net.isIPv6(address) ? "ipv6" : "ipv4") === "loopback";

/**
 * Binds UDP sockets that receive to a loopback address, because UDP is not in the Pod's network. A socket
 * that only sends may have any address.
 */
export function confineDatagrams(): void {
  const owner = dgram.Socket.prototype as unknown as Methods;
  const bind = owner.bind as Method;
  const sending = new WeakSet<object>();
  for (const name of ["send", "connect", "sendto"]) {
    const method = owner[name];
    if (typeof method !== "function") continue;
    owner[name] = function (this: object, ...args: unknown[]) {
      sending.add(this);
      try {
        return method.apply(this, args);
      } finally {
        sending.delete(this);
      }
    } as Method;
  }
  owner.bind = function (this: object, ...args: unknown[]) {
    if (sending.has(this)) return bind.apply(this, args);
    const [first, second] = args;
    const isObject = typeof first === "object" && first !== null;
    const options = isObject
      ? (first as Record<string, unknown>)
      : { port: typeof first === "function" ? 0 : first };
    const host = isObject ? options.address : second;
    const local = (this as { type?: string }).type === "udp6" ? "::1" : "127.0.0.1";
    const address = isLoopback(host) ? host : local;
    return bind.call(this, { ...options, address }, ...args.filter((one) => typeof one === "function"));
  } as Method;
}
