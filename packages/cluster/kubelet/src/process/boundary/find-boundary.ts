import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { HostError } from "../../runtime/errors.ts";
import type { Boundary, Mount } from "./boundary.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { systemMounts } from "./mounts.ts";
import { namespaces } from "./namespaces.ts";
import { startProcess } from "./start-process.ts";

/**
 * What confines the processes of Pods: a boundary of the operating system, or Node's permission model alone.
 */
export interface FenceReport {
  readonly kind: Boundary["kind"] | "node";
  /** Why there is no boundary of the operating system. */
  readonly reason?: string;
}

export interface FoundBoundary {
  /** undefined: only Node's permission model confines them. */
  readonly boundary: Boundary | undefined;
  /** What every program inside the boundary sees. */
  readonly mounts: readonly Mount[];
  readonly report: FenceReport;
}

/**
 * `best`: what this machine offers. `node`: only Node's permission model. The others: that boundary, or an
 * error.
 */
export type FenceChoice = "best" | FenceReport["kind"];

/** The time limit of a try, for a busy machine. */
const timeoutMs = 60_000;

/**
 * Finds the boundary that this machine offers, by trying each. Kernels, security modules and containers
 * forbid them in too many ways to predict.
 *
 * @param folder an existing folder on the file system of the containers' files. Each try mounts a folder
 *   below it
 * @returns bubblewrap if it works, or else namespaces made with util-linux, or else no boundary and the
 *   reason
 * @throws HostError when `choice` names a boundary that does not work here
 * @throws Error when it cannot write to `folder`
 */
export async function findBoundary(choice: FenceChoice = "best", folder = tmpdir()): Promise<FoundBoundary> {
  if (choice === "node") return permissionModelOnly("the cluster was started with OPERATOR_PATH_FENCE=node");
  if (process.platform !== "linux") {
    return unavailable(choice, `no boundary is supported on ${process.platform} yet`);
  }
  const mounts = await systemMounts();
  const reasons: string[] = [];
  const mounted = await mkdtemp(join(folder, "boundary-"));
  try {
    for (const make of [bubblewrap, namespaces]) {
      if (choice !== "best" && choice !== make.name) continue;
      try {
        const boundary = await make();
        await tryBoundary(boundary, mounts, mounted);
        return { boundary, mounts, report: { kind: boundary.kind } };
      } catch (error) {
        reasons.push(`${make.name}: ${(error as Error).message}`);
      }
    }
  } finally {
    await rm(mounted, { recursive: true, force: true });
  }
  return unavailable(choice, reasons.join("; "));
}

/**
 * Returns Node's permission model alone for the choice `best`.
 * @throws HostError for any other choice
 */
function unavailable(choice: FenceChoice, reason: string): FoundBoundary {
  if (choice === "best") return permissionModelOnly(reason);
  throw new HostError(
    `OPERATOR_PATH_FENCE=${choice} does not work on this machine (${reason}): fix that, ` +
      "or start the cluster with OPERATOR_PATH_FENCE=best",
  );
}

/**
 * Returns Node's permission model alone.
 * @param reason why there is no boundary
 */
function permissionModelOnly(reason: string): FoundBoundary {
  return { boundary: undefined, mounts: [], report: { kind: "node", reason } };
}

/**
 * Starts Node inside the boundary.
 * @param mounted a folder to mount
 * @throws Error when Node does not start, does not see a mount, or sees a file outside of the mounts
 */
async function tryBoundary(boundary: Boundary, mounts: readonly Mount[], mounted: string): Promise<void> {
  const hidden = import.meta.filename;
  const [hiddenText, mountedText] = [hidden, mounted].map((path) => JSON.stringify(path));
  const program = `const { existsSync } = require("node:fs");
    process.exitCode = existsSync(${hiddenText}) ? 3 : existsSync(${mountedText}) ? 0 : 4;`;
  const allMounts = [...mounts, { path: mounted }];
  const { child, signal } = startProcess(
    boundary,
    { file: process.execPath, argv0: "node", args: ["-e", program], cwd: "/", env: {}, mounts: allMounts },
    ["ignore", "ignore", "pipe"],
  );
  let output = "";
  (child.stderr as Readable).on("data", (chunk) => (output += chunk));
  const timer = setTimeout(signal, timeoutMs, "SIGKILL");
  try {
    const [code, by] = await once(child, "close");
    if (code === 0) return;
    if (code === 3) throw new Error("it does not hide this machine's files");
    if (code === 4) throw new Error(`it does not mount ${dirname(mounted)}`);
    throw new Error(output.trim().split("\n")[0] || `it ended with ${code ?? by}`);
  } finally {
    clearTimeout(timer);
  }
}
