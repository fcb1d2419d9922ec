import dgram from "node:dgram";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Methods = Record<string, Method>;

const isLoopback = (address: unknown) =>
  typeof address === "string" && (address === "::1" || (net.isIPv4(address) && address.startsWith("127.")));

/** Whatever a thread that is not in the Pod's network listens on is the loopback's, and never another interface's. */
export function confineServers(): void {
  const owner = net.Server.prototype as unknown as Methods;
  const listen = owner.listen as Method;
  owner.listen = function (this: unknown, ...args: unknown[]) {
    const given = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
    const [first] = given;
    const callbacks = given.filter((one) => typeof one === "function");
    const isObject = typeof first === "object" && first !== null;
    const options = isObject
      ? (first as Record<string, unknown>)
      : { port: typeof first === "function" ? undefined : first };
    // A pipe's path, or something that is open already.
    const isPort =
      options.port !== undefined &&
      options.port !== null &&
      !(typeof options.port === "string" && !/^\d+$/.test(options.port));
    if (!isPort && isObject && ("path" in options || "fd" in options || "_handle" in options))
      return listen.apply(this, args);
    if (!isPort && typeof first === "string") return listen.apply(this, args);
    const backlog = isObject ? options.backlog : given.slice(1).find((one) => typeof one === "number");
    const port = isPort ? options.port : 0;
    const host = isObject ? options.host : given[1];
    const at = isLoopback(host) ? host : "127.0.0.1";
    return listen.call(this, { ...(isObject ? options : {}), backlog, port, host: at }, ...callbacks);
  };
  syncBuiltinESMExports();
}

/** UDP is not in the Pod's network: a socket that waits for datagrams has a loopback address. What only sends has any. */
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
