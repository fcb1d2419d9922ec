import type { NetworkNamespace } from "./pod-network.ts";

/** The same namespace, as a process sees it: what it listens on is closed with it, however it ends, and so are its connections. */
export function listeningUntil(network: NetworkNamespace, ended: AbortSignal): NetworkNamespace {
  return {
    ...network,
    listen(port, listener) {
      const listening = network.listen(port, listener);
      ended.addEventListener("abort", () => listening.abort(), { once: true });
      return listening;
    },
  };
}
