import type { Transport } from "@operator-path/client";

/** Returns the transport. The bytes of watches of `path` wait for `held()`, chunk by chunk. */
export function holdEvents(
  transport: Transport,
  path: string,
  held: () => Promise<void> | undefined,
): Transport {
  return {
    ...transport,
    async stream(request) {
      const response = await transport.stream(request);
      if (request.path !== path) return response;
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
