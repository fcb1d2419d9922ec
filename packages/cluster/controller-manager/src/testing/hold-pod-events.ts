import type { Transport } from "@operator-path/client";

/** The transport, with watches of all Pods whose bytes wait for `held()`, chunk by chunk. */
export function holdPodEvents(transport: Transport, held: () => Promise<void> | undefined): Transport {
  return {
    ...transport,
    async stream(request) {
      const response = await transport.stream(request);
      if (request.path !== "/api/v1/pods") return response;
      return { ...response, body: delayed(response.body) };
    },
  };

  async function* delayed(body: AsyncIterable<Uint8Array>) {
    for await (const chunk of body) {
      await held();
      yield chunk;
    }
  }
}
