import fs from "node:fs";
import { Readable, Writable } from "node:stream";

/** The target of one of a child's three streams. */
export type Place = "pipe" | "ignore" | { readonly fd: number } | { readonly stream: Readable | Writable };

/** Returns the first three entries of the option `stdio` of node:child_process. A tool has no others. */
export function placesOf(stdio: unknown): [Place, Place, Place] {
  const given = Array.isArray(stdio) ? (stdio as unknown[]) : [stdio, stdio, stdio];
  const place = (one: unknown, fd: number): Place => {
    if (one === "ignore") return "ignore";
    if (one === "inherit") return { fd };
    if (typeof one === "number") return { fd: one };
    return typeof one === "object" && one !== null ? { stream: one as Readable } : "pipe";
  };
  return [place(given[0], 0), place(given[1], 1), place(given[2], 2)];
}

export interface ChildStdio {
  /** Returns a stream with the rest of a file, or with a pipe's data, to pipe into the child. */
  input(place: Exclude<Place, "pipe" | "ignore">): Readable;
  /** Returns the rest of an open file. undefined: the descriptor is not a file. */
  content(fd: number): Buffer | undefined;
  output(place: Exclude<Place, "pipe" | "ignore">, data: Buffer): void;
}

/** Must be called before node:fs is changed. */
export function childStdio(): ChildStdio {
  const { createReadStream, fstatSync, readSync, writeSync } = fs;
  const content = (fd: number) => {
    if (!fstatSync(fd).isFile()) return undefined;
    const parts: Buffer[] = [];
    for (;;) {
      const part = Buffer.alloc(1 << 16);
      const count = readSync(fd, part);
      if (count === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, count));
    }
  };
  return {
    content,
    input(place) {
      if ("stream" in place) return place.stream as Readable;
      // Reads the file now, because the caller may close it after the start, when a real child would have its
      // own descriptor.
      const bytes = content(place.fd);
      return bytes ? Readable.from([bytes]) : createReadStream("", { fd: place.fd, autoClose: false });
    },
    output(place, data) {
      if ("stream" in place) (place.stream as Writable).write(data);
      else if (place.fd === 1) process.stdout.write(data);
      else if (place.fd === 2) process.stderr.write(data);
      else writeSync(place.fd, data);
    },
  };
}

/**
 * Returns a child's standard input.
 * @param send sends a chunk in base64. "" ends the input
 */
export function inputOf(send: (data: string) => Promise<unknown>): Writable {
  const pieces = 24 * 1024;
  return new Writable({
    async write(chunk: Buffer, _encoding, done) {
      for (let at = 0; at < chunk.length; at += pieces)
        await send(chunk.subarray(at, at + pieces).toString("base64"));
      done();
    },
    final: (done) => void send("").then(() => done()),
  });
}

export function outputOf(): Readable {
  return new Readable({ read() {} });
}
