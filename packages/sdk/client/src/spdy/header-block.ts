import { constants, createInflate } from "node:zlib";
import { SpdyError } from "./frames.ts";

/** Headers by name in lower case. Several values of one name are separated by NUL. */
export type SpdyHeaders = Readonly<Record<string, string>>;

/** The maximum uncompressed size in bytes. Kubernetes sends a few hundred bytes. */
const maxBlockBytes = 64 * 1024;

/** The end of a sync flush. Go's decompressor returns its output when it reads this. */
const emptyBlock = Buffer.from([0, 0, 0, 0xff, 0xff]);

/**
 * Encodes header blocks as a deflate stream of stored blocks (RFC 1951, 3.2.4), without compression. That
 * needs no state and no waiting, and a connection sends only a few words of headers.
 */
export function createHeaderEncoder(): (headers: SpdyHeaders) => Buffer {
  let first = true;
  return (headers) => {
    const block = encodeBlock(headers);
    if (block.length > 0xffff) throw new SpdyError(`a header block of ${block.length} bytes`);
    const stored = Buffer.alloc(5);
    stored.writeUInt16LE(block.length, 1);
    stored.writeUInt16LE(block.length ^ 0xffff, 3);
    // RFC 1950: deflate with a window of 32 KiB, without a preset dictionary. The check bits make it
    // divisible by 31.
    const start = first ? Buffer.from([0x78, 0x01]) : Buffer.alloc(0);
    first = false;
    return Buffer.concat([start, stored, block, emptyBlock]);
  };
}

export interface HeaderDecoder {
  /** Decodes the next block. Call it for one block at a time, in order. @throws SpdyError */
  decode(block: Uint8Array): Promise<SpdyHeaders>;
  close(): void;
}

/** Creates the decoder of a connection: one zlib stream for all header blocks, with SPDY's dictionary. */
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
      // A few bytes can decompress to gigabytes.
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
    if (at + 4 > block.length) throw new SpdyError("a truncated header block");
    at += 4;
    return block.readUInt32BE(at - 4);
  };
  const text = () => {
    const length = number();
    if (at + length > block.length) throw new SpdyError("a truncated header block");
    at += length;
    return block.toString("utf8", at - length, at);
  };
  const entries: [string, string][] = [];
  for (let left = number(); left > 0; left--) entries.push([text().toLowerCase(), text()]);
  return Object.fromEntries(entries);
}

/** In the dictionary, each word follows its length in four bytes. */
const words =
  "options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow authorization cache-control connection content-base content-encoding content-language content-length content-location content-md5 content-range content-type date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade user-agent vary via warning www-authenticate method get status";

/** In the dictionary, this follows the words, without a length. */
const tail =
  "100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

function withLength(word: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(word.length);
  return Buffer.concat([length, Buffer.from(word)]);
}

/** The zlib dictionary of both sides (SPDY/3 draft, section 2.6.10.1). */
export const headerDictionary: Buffer = Buffer.concat([
  ...words.split(" ").map(withLength),
  ...["200 OK", "version", "HTTP/1.1", "url", "public", "set-cookie", "keep-alive", "origin"].map(withLength),
  Buffer.from(tail),
]);
