import { request } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { LivingProgram } from "./lifeline.ts";

/** How long kube-apiserver may take, in milliseconds; 3 s are usual. */
const patienceMs = 60_000;

/**
 * Resolves when kube-apiserver says that it is ready. Throws, with the last lines of its log, when one of the programs ends
 * before, and after a minute.
 */
export async function untilHealthy(
  access: { readonly url: string; readonly caCertificate: string; readonly token: string },
  programs: readonly LivingProgram[],
): Promise<void> {
  let broken: string | undefined;
  for (const { ended } of programs) void ended.then((words) => (broken ??= words));
  const deadline = performance.now() + patienceMs;
  while ((await statusOf(access)) !== 200) {
    if (broken !== undefined) throw new Error(`the real control plane does not start: ${broken}`);
    if (performance.now() > deadline) {
      throw new Error(
        `kube-apiserver is not ready after ${patienceMs / 1000} s: see its log, which goes with it`,
      );
    }
    await sleep(15);
  }
}

function statusOf(access: {
  url: string;
  caCertificate: string;
  token: string;
}): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${access.token}` };
    const options = { ca: access.caCertificate, headers, agent: false, timeout: 5_000 };
    request(`${access.url}/readyz`, options, (response) =>
      response.resume().on("end", () => resolve(response.statusCode)),
    )
      .on("error", () => resolve(undefined))
      .end();
  });
}
