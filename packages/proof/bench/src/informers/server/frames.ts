import { firstVersion, listVersion, type Recording, resources } from "./recording.ts";

/** The length of a batch: few calls for many objects, without much memory. */
export const batchBytes = 256 * 1024;

/**
 * The frame of an object in an HTTP chunk: kube-apiserver sends one chunk for each event, and for each item
 * of a list.
 */
export interface Frame {
  readonly before: string;
  readonly after: string;
}

const added: Frame = { before: '{"type":"ADDED","object":', after: "}\n" };
export const modified: Frame = { before: '{"type":"MODIFIED","object":', after: "}\n" };

/** Returns the initial events of a watch, and the bookmark behind them. */
export function* initialEvents(recording: Recording): Generator<Buffer> {
  const { apiVersion, kind } = resources[recording.resource];
  yield* frames(recording, 0, recording.count, (index) => ({
    index,
    version: firstVersion + index,
    frame: added,
  }));
  const metadata = {
    resourceVersion: String(listVersion),
    annotations: { "k8s.io/initial-events-end": "true" },
  };
  const types = recording.resource === "pods" ? { kind, apiVersion } : { apiVersion, kind };
  const rest = recording.resource === "pods" ? { spec: { containers: null }, status: {} } : {};
  yield chunk(`${JSON.stringify({ type: "BOOKMARK", object: { ...types, metadata, ...rest } })}\n`);
}

/**
 * Returns one page of a list. In built-in kinds metadata comes first, and items carry no kind. In custom
 * resources everything is in alphabetical order, and items are complete.
 */
export function* listPage(recording: Recording, from: number, limit: number): Generator<Buffer> {
  const { apiVersion, kind } = resources[recording.resource];
  const to = Math.min(recording.count, limit > 0 ? from + limit : recording.count);
  const remainingItemCount = recording.count - to;
  const token = Buffer.from(JSON.stringify({ v: "meta.k8s.io/v1", rv: listVersion, start: to })).toString(
    "base64url",
  );
  const more = remainingItemCount > 0 ? { continue: token, remainingItemCount } : {};
  const resourceVersion = String(listVersion);
  const isBuiltIn = recording.resource === "pods";
  const types = `{"kind":"${kind}","apiVersion":"${apiVersion}",`;
  yield chunk(
    isBuiltIn
      ? `{"kind":"${kind}List","apiVersion":"${apiVersion}","metadata":${JSON.stringify({ resourceVersion, ...more })},"items":[`
      : `{"apiVersion":"${apiVersion}","items":[`,
  );
  const item: Frame = { before: isBuiltIn ? "{" : "", after: "," };
  const last: Frame = { ...item, after: "" };
  const skip = isBuiltIn ? types.length : 0;
  yield* frames(
    recording,
    from,
    to,
    (index) => ({ index, version: firstVersion + index, frame: index === to - 1 ? last : item }),
    skip,
  );
  const metadata = JSON.stringify({ ...more, resourceVersion });
  yield chunk(isBuiltIn ? "]}\n" : `],"kind":"${kind}List","metadata":${metadata}}\n`);
}

/** Returns where the page of a continue token begins. */
export function startOf(token: string | null): number {
  return token === null ? 0 : Number(JSON.parse(Buffer.from(token, "base64url").toString()).start);
}

function chunk(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}

interface Place {
  readonly index: number;
  readonly version: number;
  readonly frame: Frame;
}

function* frames(
  recording: Recording,
  from: number,
  to: number,
  place: (at: number) => Place,
  skip = 0,
): Generator<Buffer> {
  let batch = Buffer.allocUnsafe(batchBytes);
  let used = 0;
  for (let at = from; at < to; at++) {
    const { index, version, frame } = place(at);
    const length = frameLength(recording, index, frame, skip);
    if (used + length > batch.length) {
      yield batch.subarray(0, used);
      batch = Buffer.allocUnsafe(Math.max(batchBytes, length));
      used = 0;
    }
    used = writeFrame(batch, used, recording, index, version, frame, skip).end;
  }
  if (used > 0) yield batch.subarray(0, used);
}

/** At most. */
export function frameLength(
  { starts }: Recording,
  index: number,
  { before, after }: Frame,
  skip = 0,
): number {
  return (starts[index + 1] as number) - (starts[index] as number) - skip + before.length + after.length + 12;
}

/** Writes one chunk, and returns the positions of its resourceVersion and its end. */
export function writeFrame(
  target: Buffer,
  at: number,
  { bytes, starts, versions }: Recording,
  index: number,
  version: number,
  { before, after }: Frame,
  skip = 0,
): { version: number; end: number } {
  const begin = (starts[index] as number) + skip;
  // Without the newline that ends each line of the recording.
  const end = (starts[index + 1] as number) - 1;
  const length = end - begin + before.length + after.length;
  const from = at + target.write(`${length.toString(16)}\r\n${before}`, at, "latin1");
  const versionAt = from + (versions[index] as number) - begin;
  const to = from + bytes.copy(target, from, begin, end);
  target.write(String(version), versionAt, "latin1");
  return { version: versionAt, end: to + target.write(`${after}\r\n`, to, "latin1") };
}
