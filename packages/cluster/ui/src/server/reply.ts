/** What a handler returns for a body that is not JSON. Create it with `textReply` or `streamReply`. */
export interface UiReply {
  readonly [replyMark]: true;
  readonly type: string;
  readonly body: string | AsyncIterable<Uint8Array>;
}

const replyMark: unique symbol = Symbol("reply");

/** Returns a reply of plain text. Other values that a handler returns are sent as JSON. */
export function textReply(body: string): UiReply {
  return { [replyMark]: true, type: "text/plain; charset=utf-8", body };
}

/** Returns a reply whose bytes are sent as they arrive. If the stream fails, the connection breaks. */
export function streamReply(body: AsyncIterable<Uint8Array>): UiReply {
  return { [replyMark]: true, type: "application/octet-stream", body };
}

export function isReply(value: unknown): value is UiReply {
  return typeof value === "object" && value !== null && replyMark in value;
}

/** An error whose message the browser may show. The text of any other error stays on the server. */
export class UiError extends Error {
  override readonly name = "UiError";
  readonly status: number;

  /** @param status an HTTP status from 400 to 599 */
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
