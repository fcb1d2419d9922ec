import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import type { Channel } from "./channel.ts";
import { kindOfAddress } from "./loopback.ts";
import type { PreloadSettings } from "./protocol.ts";
import type { SocketGuard } from "./sockets.ts";

type Callback = (...args: unknown[]) => void;
interface Target {
  host?: string;
  port?: number | string;
  /** The path of a pipe. The http module passes null. */
  path?: string | null;
  lookup?: unknown;
}

/**
 * Puts a process of the host into its Pod's network. A port on which it listens is the Pod's, although the
 * socket has another port of the loopback interface. localhost is the Pod. The kubelet resolves addresses and
 * names of the cluster. Everything else is the host's network.
 */
export function mapNetwork(settings: PreloadSettings, channel: Channel, guard: SocketGuard): void {
  mapConnect(settings, channel, guard);
  mapListen(channel);
  mapLookup(channel);
  syncBuiltinESMExports();
}

/** Whether a canonical host is this machine. */
function isLocal(host: string): boolean {
  if (!net.isIP(host)) return /(?:^|\.)localhost\.?$/.test(host);
  const kind = kindOfAddress(host, net.isIPv6(host) ? "ipv6" : "ipv4");
  return kind === "loopback" || kind === "unspecified";
}

/** Returns the spelling of a host that URLs use: 127.1 and 0x7f000001 become 127.0.0.1. */
function canonical(host: string): string {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  const url = URL.parse(`http://${bare.includes(":") ? `[${bare}]` : bare}/`);
  return url ? url.hostname.replace(/^\[|\]$/g, "") : bare;
}

/** Addresses of Pods and Services, names without a dot, and names of the cluster's domain. */
const ofCluster =
  /^10\.(?:244|96)\.|^[a-z0-9]([-a-z0-9]*[a-z0-9])?$|\.svc(?:\.cluster\.local)?\.?$|\.cluster\.local\.?$/;
/** `web.shop` may be a Service in a namespace or a host of the internet. The kubelet decides. */
const perhapsOfCluster = /^[a-z0-9-]+\.[a-z0-9-]+$/;

function mapConnect(settings: PreloadSettings, channel: Channel, guard: SocketGuard): void {
  const connect = net.Socket.prototype.connect as (this: net.Socket, ...args: unknown[]) => net.Socket;
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]): net.Socket {
    const { options, callback } = normalise(args);
    const { host = "localhost", port } = options;
    const name = canonical(host);
    const isOwn = isLocal(name) || name === settings.hostname || name === settings.ip;
    if (typeof options.path === "string" || port === undefined) return connect.apply(this, args);
    if (isOwn && settings.passThrough.includes(Number(port))) return connect.apply(this, args);
    if (!isOwn && !ofCluster.test(name) && !perhapsOfCluster.test(name)) return connect.apply(this, args);
    (this as { connecting: boolean }).connecting = true;
    void channel.ask({ ask: "dial", host: isOwn ? settings.ip : name, port: Number(port) }).then((answer) => {
      if (this.destroyed) return;
      (this as { connecting: boolean }).connecting = false;
      if (answer.ok) {
        const { lookup: _, ...rest } = options;
        guard.admit(answer.port as number);
        connect.call(this, { ...rest, host: "127.0.0.1", port: answer.port }, callback);
      } else if (answer.code === "ENOTFOUND" && perhapsOfCluster.test(name)) connect.apply(this, args);
      else this.destroy(failure(answer.code as string, host, Number(port)));
    });
    return this;
  } as typeof net.Socket.prototype.connect;
}

/** Returns Node's error for a failed connection. */
function failure(code: string, address: string, port: number): Error {
  if (code === "ENOTFOUND") {
    return Object.assign(new Error(`getaddrinfo ENOTFOUND ${address}`), {
      code,
      errno: -3008,
      syscall: "getaddrinfo",
      hostname: address,
    });
  }
  return Object.assign(new Error(`connect ${code} ${address}:${port}`), {
    code,
    errno: -111,
    syscall: "connect",
    address,
    port,
  });
}

/**
 * Reads the arguments of connect: (options), (port, host), (path), or the list that net.connect() has made of
 * them.
 */
function normalise(args: unknown[]): { options: Target; callback: Callback | undefined } {
  const given = Array.isArray(args[0]) ? (args[0] as unknown[]) : args;
  const last = given.at(-1);
  const callback = typeof last === "function" ? (last as Callback) : undefined;
  const [first, second] = given;
  if (typeof first === "object" && first !== null) return { options: first as Target, callback };
  if (typeof first === "string" && !/^\d+$/.test(first)) return { options: { path: first }, callback };
  const options: Target = { port: first as number };
  if (typeof second === "string") options.host = second;
  return { options, callback };
}

function mapListen(channel: Channel): void {
  const listen = net.Server.prototype.listen as (this: net.Server, ...args: unknown[]) => net.Server;
  const address = net.Server.prototype.address;
  const close = net.Server.prototype.close;
  const ports = new WeakMap<net.Server, { port: number; host: string; cancelled: boolean }>();

  net.Server.prototype.listen = function (this: net.Server, ...args: unknown[]): net.Server {
    const { options, callback } = normalise(
      args.length === 0 || typeof args[0] === "function" ? [0, ...args] : args,
    );
    const given = options as Target & { fd?: number; _handle?: unknown };
    if (typeof given.path === "string" || given.fd !== undefined || given._handle !== undefined)
      return listen.apply(this, args);
    const state = { port: Number(given.port ?? 0), host: given.host ?? "::", cancelled: false };
    ports.set(this, state);
    if (callback) this.once("listening", callback);
    void channel.ask({ ask: "listen", port: state.port }).then((answer) => {
      if (state.cancelled) return;
      if (!answer.ok) {
        const { port, host } = state;
        const message = `listen EADDRINUSE: address already in use ${host === "::" ? ":::" : `${host}:`}${port}`;
        const error = Object.assign(new Error(message), {
          code: "EADDRINUSE",
          errno: -98,
          syscall: "listen",
          address: host,
          port,
        });
        this.emit("error", error);
        return;
      }
      const { path: _, ...rest } = given;
      // Runs before the program's own listeners, so that the port is open when they run.
      this.prependOnceListener("listening", () => {
        const bound = address.call(this);
        const hostPort = typeof bound === "object" && bound ? bound.port : 0;
        if (state.port === 0) state.port = hostPort;
        void channel.ask({ ask: "listening", port: state.port, hostPort });
        this.once("close", () => void channel.ask({ ask: "closed", port: state.port }));
      });
      listen.call(this, { ...rest, host: "127.0.0.1", port: 0 });
    });
    return this;
  } as typeof net.Server.prototype.listen;

  net.Server.prototype.address = function (this: net.Server) {
    const bound = address.call(this);
    const state = ports.get(this);
    if (!state || typeof bound !== "object" || bound === null) return bound;
    const isV6 = state.host.includes(":");
    return {
      address: state.host === "localhost" ? "127.0.0.1" : state.host,
      family: isV6 ? "IPv6" : "IPv4",
      port: state.port,
    };
  };

  net.Server.prototype.close = function (this: net.Server, callback?: (error?: Error) => void) {
    const state = ports.get(this);
    if (state && !this.listening && !state.cancelled) {
      // The server was closed before the kubelet answered, so it was never open.
      state.cancelled = true;
      process.nextTick(() => {
        callback?.();
        this.emit("close");
      });
      return this;
    }
    return close.call(this, callback);
  };
}

/** Makes lookups of the cluster's names ask the cluster's DNS. */
function mapLookup(channel: Channel): void {
  const lookup = dns.lookup as unknown as (...args: unknown[]) => void;
  const lookupPromise = dns.promises.lookup as unknown as (...args: unknown[]) => Promise<unknown>;
  const ask = async (name: string): Promise<string[] | undefined> => {
    if (net.isIP(name) || isLocal(name) || !(ofCluster.test(name) || perhapsOfCluster.test(name)))
      return undefined;
    const answer = await channel.ask({ ask: "resolve", host: name });
    if (answer.ok) return answer.addresses as string[];
    if (perhapsOfCluster.test(name)) return undefined;
    throw failure("ENOTFOUND", name, 0);
  };
  const shape = (addresses: string[], all: unknown) => {
    const found = addresses.map((address) => ({ address, family: 4 }));
    return all ? found : found[0];
  };
  dns.promises.lookup = (async (name: string, options: unknown) => {
    const addresses = await ask(name);
    const all = typeof options === "object" && options !== null && "all" in options && options.all;
    return addresses ? shape(addresses, all) : lookupPromise(name, options);
  }) as typeof dns.promises.lookup;
  dns.lookup = ((name: string, ...args: unknown[]) => {
    const callback = args.at(-1) as Callback;
    const [options] = args;
    const all = typeof options === "object" && options !== null && "all" in options && options.all;
    ask(name).then(
      (addresses) => {
        if (addresses === undefined) lookup(name, ...args);
        else if (all) callback(null, shape(addresses, true));
        else callback(null, addresses[0], 4);
      },
      (error: unknown) => callback(error),
    );
  }) as unknown as typeof dns.lookup;
}
