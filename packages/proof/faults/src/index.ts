export { createProcess, type Process, type ProcessOptions } from "./election/process.ts";
export type { Mutant } from "./mutants/mutants.ts";
export { type MutantProgram, type MutantsOptions, runMutants, whyNot } from "./mutants/run-mutants.ts";
export { drawFate, type Fate, type FateRates } from "./proxy/fate.ts";
export { type ServedTransport, serveTransport } from "./proxy/serve-transport.ts";
export { startTcpProxy, type TcpProxy, type TcpProxyOptions } from "./proxy/tcp-proxy.ts";
export { createRandom, type Random } from "./random.ts";
export { type Report, writeReport } from "./report.ts";
export {
  createSimulatedServer,
  type SimulatedServer,
  type SimulatedServerOptions,
} from "./server/simulated-server.ts";
export type { Fault, Target } from "./transport/fault.ts";
export {
  createFaultyTransport,
  type FaultyTransport,
  type FaultyTransportOptions,
} from "./transport/faulty-transport.ts";
