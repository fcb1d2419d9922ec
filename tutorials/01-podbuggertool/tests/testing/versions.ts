import { type Clock, createClientOn, type KubeConfig, type Transport } from "@operator-path/client";
import { createLogger, createManager, createScheme } from "@operator-path/controller-runtime";
import { createEventRecorder, createInformerFactory } from "@operator-path/informers";
import { createController } from "../../podbuggertool/src/controller.ts";
import { podbuggertools } from "../../podbuggertool/src/types.ts";
import { addController } from "../../podbuggertool-on-controller-runtime/src/controller.ts";

export interface Surroundings {
  readonly kubeConfig: KubeConfig;
  /** Closed when the operator has ended. */
  readonly transport: Transport;
  readonly clock?: Clock;
  /** Default: all. */
  readonly namespace?: string;
  /** Uses the Deployment's flags: leader election in the namespace podbuggertool, and metrics. Default: false. */
  readonly deployed?: boolean;
}

export interface Operator {
  /** Ends it in order. */
  stop(): Promise<void>;
  /** "host:port" of its metrics, if it serves any. */
  readonly metricsAddress?: string;
}

/** What `main.ts` starts; resolves when it watches. */
export type Start = (surroundings: Surroundings) => Promise<Operator>;

/** Pages 1 and 2. */
export const startOnInformers: Start = async ({ transport, clock, namespace }) => {
  const client = createClientOn(transport);
  const stop = new AbortController();
  const informers = createInformerFactory(client, namespace ? { namespace } : {});
  const recorder = createEventRecorder(client, { component: "podbuggertool" });
  const controller = createController(client, informers, recorder, clock);
  informers.start(stop.signal);
  await informers.waitForSync();
  const run = controller.run(stop.signal);
  return {
    async stop() {
      stop.abort();
      await Promise.all([run, informers.shutdown()]);
      await recorder.flush();
      await client.close();
    },
  };
};

/** Page 3. */
export const startOnControllerRuntime: Start = async ({ kubeConfig, transport, clock, ...rest }) => {
  const { namespace, deployed = false } = rest;
  const stop = new AbortController();
  const manager = createManager(kubeConfig, {
    scheme: createScheme(podbuggertools),
    logger: createLogger({ destination: { write: (line) => console.log(line) } }),
    ...(namespace ? { cache: { namespaces: [namespace] } } : {}),
    leaderElection: deployed && { id: "podbuggertool.ualter.com", namespace: "podbuggertool" },
    metricsServer: { bindAddress: deployed ? "127.0.0.1:0" : "0" },
    ...(clock ? { clock } : {}),
    transport,
  });
  addController(manager);
  const running = manager.start(stop.signal);
  await Promise.race([manager.elected, running]);
  const metricsAddress = manager.metricsAddress();
  return {
    async stop() {
      stop.abort();
      await running;
    },
    ...(metricsAddress ? { metricsAddress } : {}),
  };
};

/** The same operator, twice, with the folder that it is in. */
export const versions: readonly [name: string, start: Start, folder: string][] = [
  ["on informers", startOnInformers, "podbuggertool"],
  ["on controller-runtime", startOnControllerRuntime, "podbuggertool-on-controller-runtime"],
];
