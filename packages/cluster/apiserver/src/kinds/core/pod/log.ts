import { badRequest, invalid, type StatusCause } from "../../../apimachinery/errors.ts";
import type { ReplySink } from "../../../server/http/outlet.ts";
import type { Reply } from "../../../server/http/reply.ts";
import { flag, integer } from "../../../server/registry/options.ts";
import type { Scope } from "../../../server/registry/scope.ts";
import { type LogRequest, nodeError } from "../../../server/streaming/node-connection.ts";
import { connectionTo, findContainer, type NodeAccess, nodeNameOf } from "./pod-container.ts";

/** Serves GET pods/x/log: the node's text. With `follow` it streams until the container ends. */
export async function handleLog(context: NodeAccess, scope: Scope): Promise<Reply> {
  const options = parseLogOptions(scope);
  const { pod, reference } = findContainer(context, scope, scope.request.query.get("container") ?? "");
  const nodeName = nodeNameOf(pod);
  // Nothing has run yet. A real server also answers with an empty log.
  if (nodeName === "") return { status: 204, body: [] };
  const lines = connectionTo(context, nodeName)
    .logs({ ...reference, ...options })
    [Symbol.asyncIterator]();
  // The first read shows whether there is a log. Until then the reply can still be an error.
  const first = await next(lines, scope);
  return textStream(async (sink) => {
    try {
      for (let chunk = first; !chunk.done && !scope.request.signal.aborted; chunk = await lines.next()) {
        sink.write(chunk.value);
        await sink.drained();
      }
    } finally {
      await lines.return?.();
    }
  });
}

async function next(lines: AsyncIterator<Uint8Array>, { name }: Scope): Promise<IteratorResult<Uint8Array>> {
  try {
    return await lines.next();
  } catch (error) {
    throw nodeError(error, name);
  }
}

function textStream(stream: (sink: ReplySink) => Promise<void>): Reply {
  return { status: 200, headers: { "content-type": "text/plain" }, kind: "relay", stream };
}

function parseLogOptions({ request, name }: Scope): Omit<LogRequest, "namespace" | "pod" | "container"> {
  const { query } = request;
  const sinceTime = query.get("sinceTime") || undefined;
  const numbers = {
    tailLines: integer(query, "tailLines"),
    sinceSeconds: integer(query, "sinceSeconds"),
    limitBytes: integer(query, "limitBytes"),
  };
  const causes: StatusCause[] = [];
  const least = { tailLines: 0, sinceSeconds: 1, limitBytes: 1 };
  for (const [field, minimum] of Object.entries(least)) {
    const value = numbers[field as keyof typeof least];
    if (value === undefined || value >= minimum) continue;
    const rule = minimum === 0 ? "must be greater than or equal to 0" : "must be greater than 0";
    causes.push({ reason: "FieldValueInvalid", message: `Invalid value: ${value}: ${rule}`, field });
  }
  if (sinceTime !== undefined && numbers.sinceSeconds !== undefined) {
    causes.push({
      reason: "FieldValueForbidden",
      message: "Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified",
      field: "[]",
    });
  }
  if (sinceTime !== undefined && Number.isNaN(Date.parse(sinceTime))) {
    throw badRequest(
      `parsing time ${JSON.stringify(sinceTime)} as "2006-01-02T15:04:05Z07:00": cannot parse`,
    );
  }
  if (causes.length > 0) throw invalid("", "PodLogOptions", name, causes);
  return {
    follow: flag(query, "follow") ?? false,
    previous: flag(query, "previous") ?? false,
    timestamps: flag(query, "timestamps") ?? false,
    ...(sinceTime === undefined ? {} : { sinceTime }),
    ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined)),
    signal: request.signal,
  };
}
