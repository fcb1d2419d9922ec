import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { Parser, type ReadEntry } from "tar";
import { type Budget, ChartError, type ChartFile } from "./chart.ts";
import { withoutMark } from "./read-folder.ts";

/** A tar header and its padding. */
const overhead = 1024;

/**
 * Returns the files of a chart's archive, without the folder that contains them all. Writes nothing. Rejects
 * an archive that holds anything but files and folders, or a name that leads out of the chart. Stops when it
 * unpacks to more than the limits.
 *
 * @param chart its path, for messages
 * @throws ChartError
 */
export async function readArchive(chart: string, source: Readable, budget: Budget): Promise<ChartFile[]> {
  const files = new Map<string, ChartFile>();
  let problem: unknown;
  const accept = (entry: ReadEntry): void => {
    try {
      readEntry(chart, entry, budget, files);
    } catch (error) {
      problem ??= error;
      entry.resume();
    }
  };
  const parser = new Parser({ strict: true, onReadEntry: accept });
  parser.on("error", (error) => {
    problem ??= error;
  });
  // tar skips entry types that it does not know, and names that are too long for it. helm might read them.
  parser.on("ignoredEntry", ({ path, type }: ReadEntry) => {
    problem ??= new ChartError(
      `${chart}: ${path} is of the type ${type}, but a chart holds only files and folders`,
    );
  });
  const { entries, totalBytes } = budget.limits;
  let bytes = 0;
  try {
    await pipeline(source, createGunzip(), async (unpacked: AsyncIterable<Buffer>) => {
      for await (const chunk of unpacked) {
        if (bytes === 0) refuseCompressed(chart, chunk);
        bytes += chunk.length;
        if (bytes > totalBytes + entries * overhead) {
          throw new ChartError(`${chart} unpacks to more than ${totalBytes} bytes: is it a chart?`);
        }
        parser.write(chunk);
        if (problem !== undefined) throw problem;
      }
      parser.end();
      if (problem !== undefined) throw problem;
    });
  } catch (error) {
    if (error instanceof ChartError) throw error;
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (code === "Z_DATA_ERROR" && bytes === 0) {
      throw new ChartError(
        `${chart} is not a .tgz file: a chart is a folder, or an archive that helm package made`,
      );
    }
    throw new ChartError(`${chart} is damaged: ${message}`);
  }
  if (files.size === 0) throw new ChartError(`${chart} is an archive without files`);
  return [...files.values()];
}

function readEntry(chart: string, entry: ReadEntry, budget: Budget, files: Map<string, ChartFile>): void {
  const name = innerName(chart, entry.path);
  if (entry.type === "Directory" || entry.type === "GNUDumpDir") {
    budget.take(entry.path, 0);
    entry.resume();
    return;
  }
  if (entry.type === "SymbolicLink" || entry.type === "Link") {
    throw new ChartError(
      `${chart}: ${entry.path} is a link to ${entry.linkpath}: replace it with the file itself`,
    );
  }
  if (entry.type !== "File" && entry.type !== "OldFile" && entry.type !== "ContiguousFile") {
    throw new ChartError(
      `${chart}: ${entry.path} is of the type ${entry.type}, but a chart holds only files and folders`,
    );
  }
  if (name === "")
    throw new ChartError(
      `${chart}: ${entry.path} is not in the chart's folder, where all of its files must be`,
    );
  if (files.has(name)) throw new ChartError(`${chart} contains ${name} twice: remove one of them`);
  budget.take(entry.path, entry.size);
  const parts: Buffer[] = [];
  const file: { name: string; data: Buffer } = { name, data: Buffer.alloc(0) };
  files.set(name, file);
  entry.on("data", (part: Buffer) => parts.push(part));
  entry.on("end", () => {
    file.data = withoutMark(Buffer.concat(parts));
  });
}

/** Returns the name without the chart's folder; "" for a name beside it. Helm's rules, and no `..` at all. */
function innerName(chart: string, path: string): string {
  if (path.includes("\0")) throw new ChartError(`${chart}: a name in it contains a NUL character`);
  // Archives from Windows have backslashes.
  const [first = "", ...inner] = path.split(path.includes("\\") ? "\\" : "/");
  const drive = /^[a-z]:$/i;
  if (
    first === "" ||
    drive.test(first) ||
    drive.test(inner[0] ?? "") ||
    (inner[0] === "" && inner.length > 1)
  ) {
    throw new ChartError(`${chart}: ${path} is an absolute path: it would be outside the chart`);
  }
  if (path.split(/[/\\]/).includes("..")) throw new ChartError(`${chart}: ${path} leads out of the chart`);
  return inner.filter((name) => name !== "" && name !== ".").join("/");
}

/** Rejects an archive that is compressed twice: the parser would decompress it beyond the limits. */
function refuseCompressed(chart: string, start: Buffer): void {
  const compressed = [Buffer.from([0x1f, 0x8b]), Buffer.from([0x28, 0xb5, 0x2f, 0xfd])];
  if (compressed.some((magic) => start.subarray(0, magic.length).equals(magic))) {
    throw new ChartError(`${chart} is compressed twice`);
  }
}
