export { createProcess, type Process, type ProcessOptions } from "./process.ts";
export { drawFate, type Fate, type FateRates } from "./proxy/fate.ts";
export { type ServedTransport, serveTransport } from "./proxy/serve-transport.ts";
export { startTcpProxy, type TcpProxy, type TcpProxyOptions } from "./proxy/tcp-proxy.ts";
export { createRandom, type Random } from "./random.ts";
export {
  createSimulatedServer,
  type SimulatedServer,
  type SimulatedServerOptions,
} from "./server/simulated-server.ts";
export { type TrackedCollections, trackCollections } from "./track-collections.ts";
export type { Fault, Target } from "./transport/fault.ts";
export {
  createFaultyTransport,
  type FaultyTransport,
  type FaultyTransportOptions,
} from "./transport/faulty-transport.ts";
