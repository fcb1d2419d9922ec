import { constants, createInflate } from "node:zlib";
import { SpdyError } from "./frames.ts";

/** Names in lower case; several values of one name are separated by NUL. */
export type SpdyHeaders = Readonly<Record<string, string>>;

/** Uncompressed; a few hundred bytes in what Kubernetes sends. */
const maxBlockBytes = 64 * 1024;

/** What a sync flush ends with: Go's decompressor hands out what it has when it sees this. */
const emptyBlock = Buffer.from([0, 0, 0, 0xff, 0xff]);

/**
 * Compresses header blocks. They are stored, not made smaller: a deflate stream may consist of stored blocks alone (RFC
 * 1951, 3.2.4), which needs no state and no waiting, and what is sent here are a few words per connection.
 */
export function createHeaderEncoder(): (headers: SpdyHeaders) => Buffer {
  let first = true;
  return (headers) => {
    const block = encodeBlock(headers);
    if (block.length > 0xffff) throw new SpdyError(`a header block of ${block.length} bytes`);
    const stored = Buffer.alloc(5);
    stored.writeUInt16LE(block.length, 1);
    stored.writeUInt16LE(block.length ^ 0xffff, 3);
    // RFC 1950: deflate, a window of 32 KiB, no preset dictionary, checked by 31.
    const start = first ? Buffer.from([0x78, 0x01]) : Buffer.alloc(0);
    first = false;
    return Buffer.concat([start, stored, block, emptyBlock]);
  };
}

export interface HeaderDecoder {
  /** One block at a time, in the order in which they came. @throws SpdyError */
  decode(block: Uint8Array): Promise<SpdyHeaders>;
  close(): void;
}

/** Decompresses header blocks: one zlib stream for all of a connection, primed with SPDY's dictionary. */
export function createHeaderDecoder(): HeaderDecoder {
  const inflate = createInflate({ dictionary: headerDictionary, flush: constants.Z_SYNC_FLUSH });
  let chunks: Buffer[] = [];
  let length = 0;
  const take = () => {
    for (
      let chunk = inflate.read() as Buffer | null;
      chunk !== null;
      chunk = inflate.read() as Buffer | null
    ) {
      length += chunk.length;
      // A few bytes can be made to unfold into gigabytes.
      if (length > maxBlockBytes)
        inflate.destroy(new SpdyError(`a header block of more than ${maxBlockBytes} bytes`));
      else chunks.push(chunk);
    }
  };
  inflate.on("readable", take);
  inflate.on("error", () => {});
  return {
    async decode(block) {
      chunks = [];
      length = 0;
      await new Promise<void>((resolve, reject) => {
        const failed = (error?: Error) =>
          reject(new SpdyError(`header block: ${error?.message ?? "closed"}`));
        if (inflate.destroyed) return failed();
        inflate.once("close", failed);
        inflate.write(block, (error) => {
          inflate.off("close", failed);
          if (error) failed(error);
          else resolve();
        });
      });
      take();
      return parseBlock(Buffer.concat(chunks));
    },
    close: () => inflate.destroy(),
  };
}

function encodeBlock(headers: SpdyHeaders): Buffer {
  const entries = Object.entries(headers);
  const text = (value: string) => {
    const bytes = Buffer.from(value);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(bytes.length);
    return [size, bytes];
  };
  const count = Buffer.alloc(4);
  count.writeUInt32BE(entries.length);
  return Buffer.concat([
    count,
    ...entries.flatMap(([name, value]) => [...text(name.toLowerCase()), ...text(value)]),
  ]);
}

function parseBlock(block: Buffer): SpdyHeaders {
  let at = 0;
  const number = () => {
    if (at + 4 > block.length) throw new SpdyError("a header block that is cut off");
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const text = () => {
    const length = number();
    if (at + length > block.length) throw new SpdyError("a header block that is cut off");
    at += length;
    return block.toString("utf8", at - length, at);
  };
  const entries: [string, string][] = [];
  for (let left = number(); left > 0; left--) entries.push([text().toLowerCase(), text()]);
  return Object.fromEntries(entries);
}

/** Each of these stands in the dictionary behind its length, in four bytes. */
const words =
  "options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow authorization cache-control connection content-base content-encoding content-language content-length content-location content-md5 content-range content-type date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade user-agent vary via warning www-authenticate method get status";

/** And this behind them as it is. */
const tail =
  "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

function withLength(word: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(word.length);
  return Buffer.concat([length, Buffer.from(word)]);
}

/** With what both sides prime zlib before the first header block: SPDY/3 draft, section 2.6.10.1. */
export const headerDictionary: Buffer = Buffer.concat([
  ...words.split(" ").map(withLength),
  ...["200 OK", "version", "HTTP/1.1", "url", "public", "set-cookie", "keep-alive", "origin"].map(withLength),
  Buffer.from(tail),
]);
