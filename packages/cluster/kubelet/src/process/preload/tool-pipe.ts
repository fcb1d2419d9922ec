import fs from "node:fs";
import os from "node:os";
import type { ToolAnswer, ToolQuestion } from "./protocol.ts";

/** Sends a question about tools to the kubelet and blocks until the answer arrives. */
export type AskTools = (question: ToolQuestion) => ToolAnswer;

/** Must be called before node:fs is changed. */
export function openToolPipe(fd: number): AskTools {
  const { readSync, writeSync } = fs;
  const buffer = Buffer.alloc(1 << 16);
  const again = <T>(call: () => T): T => {
    for (;;) {
      try {
        return call();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      }
    }
  };
  return (question) => {
    const bytes = Buffer.from(`${JSON.stringify(question)}\n`);
    for (let at = 0; at < bytes.length; ) at += again(() => writeSync(fd, bytes, at));
    const parts: Buffer[] = [];
    for (;;) {
      const count = again(() => readSync(fd, buffer));
      // The cluster has ended. The channel is about to end this process.
      if (count === 0) return { ok: false, code: "EPIPE" };
      parts.push(Buffer.from(buffer.subarray(0, count)));
      if (buffer[count - 1] === 10) return JSON.parse(Buffer.concat(parts).toString()) as ToolAnswer;
    }
  };
}

/** Returns Node's error for a file that the kernel does not execute. */
export function refusalOf(
  syscall: string,
  file: string,
  args: readonly string[],
  code: string,
): Error & { errno: number; code: string } {
  const known = os.constants.errno as Readonly<Record<string, number>>;
  const errno = -(known[code] ?? os.constants.errno.EACCES);
  const of = `${syscall} ${file}`;
  return Object.assign(new Error(`${of} ${code}`), { errno, code, syscall: of, path: file, spawnargs: args });
}
