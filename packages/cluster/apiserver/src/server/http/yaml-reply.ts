import { notAcceptable } from "../../apimachinery/errors.ts";
import type { StreamReply, WholeReply } from "./reply.ts";

/** Writing YAML blocks the event loop, so longer responses are only available as JSON. */
const maximumBytes = 3 * 1024 * 1024;

/** Converts a JSON response to YAML. @throws ApiStatusError 406 above 3 MiB */
export async function yamlReply(reply: WholeReply | StreamReply): Promise<WholeReply> {
  const json = Buffer.concat("body" in reply ? reply.body : await collect(reply));
  if (json.length > maximumBytes) throw tooLong();
  const { dump } = await import("js-yaml");
  const text = dump(JSON.parse(json.toString()), {
    noRefs: true,
    lineWidth: -1,
    quoteStyle: "double",
    seqNoIndent: true,
  });
  return { status: reply.status, headers: { "content-type": "application/yaml" }, body: [Buffer.from(text)] };
}

/** Collects the chunks of a stream that ends. */
async function collect(reply: StreamReply): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const take = (chunk: Uint8Array) => {
    length += chunk.length;
    if (length > maximumBytes) throw tooLong();
    chunks.push(chunk);
  };
  await reply.stream({
    write: take,
    writeLater: (item) => item.encode().forEach(take),
    pending: 0,
    waiting: 0,
    drained: () => Promise.resolve(),
    cut() {},
  });
  return chunks;
}

function tooLong() {
  return notAcceptable(
    `an answer of more than ${maximumBytes} bytes is not available as application/yaml: ask for application/json`,
  );
}
