import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { identityOf } from "../background/process-identity.ts";

/** Waits for a condition; the test's own timeout is the limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(10);
}

export const gone = async (pid: number): Promise<boolean> => (await identityOf(pid)) === undefined;

/** Whether anything accepts connections on the port of a URL. */
export async function listens(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Runs a TypeScript program in a process of its own, as the scripts of this repository do. */
export const nodeFlags = ["--conditions=@operator-path/source", "--input-type=module-typescript"];

/** For `import … from` in such a program. */
export const sourceUrl = (path: string): string => new URL(`../${path}`, import.meta.url).href;
