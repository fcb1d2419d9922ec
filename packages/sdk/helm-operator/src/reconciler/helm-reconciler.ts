import type { KubeObject } from "@operator-path/client";
import { ignoreNotFound, type Reconciler, type Request } from "@operator-path/controller-runtime";
import { matchLabels } from "@operator-path/informers";
import { annotatedOptions, helmAnnotations } from "./annotations.ts";
import { createMemories } from "./memory.ts";
import { reconcileRelease } from "./reconcile-release.ts";
import type { HelmContext, Run } from "./run.ts";
import { createStatusReport } from "./status-report.ts";

/**
 * Returns a reconciler that keeps a Helm release for each object, under its name (Go: reconciler.Reconciler).
 */
export function helmReconciler(context: HelmContext): Reconciler {
  const { settings, client, clock } = context;
  const memories = createMemories();
  const names = { ...helmAnnotations, ...settings.annotations };

  function isMine({ metadata }: KubeObject): boolean {
    // Events of dependents and of release Secrets pass the controller's selector, so check the object itself.
    return settings.selector === undefined || matchLabels(settings.selector, metadata?.labels);
  }

  return {
    async reconcile(request, { signal, log, reconcileID }) {
      const object = await client.get(settings.resource, request, { signal }).catch(ignoreNotFound);
      const key = `${request.namespace}/${request.name}`;
      if (!object) {
        memories.forget(key);
        context.drift.forget(keyOf(request));
      }
      if (!object || !isMine(object)) return {};
      const run: Run = {
        ...context,
        object,
        key: keyOf(request),
        annotated: annotatedOptions(object, names),
        memory: memories.of(key, object.metadata?.uid ?? ""),
        status: createStatusReport(object, clock),
        // A logger from the options names the object on each line, too.
        log: settings.log?.child({ [settings.resource.kind]: request, ...request, reconcileID }) ?? log,
        signal,
      };
      return finishing(run, () => reconcileRelease(run));
    },
  };
}

/** Writes the status whatever the outcome. A failure to write it does not hide the first error. */
async function finishing<T>(run: Run, work: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    if (!run.signal.aborted) {
      await run.status.write(run).catch((second: unknown) => {
        run.log.error({ error: second }, "The status could not be written");
      });
    }
    throw error;
  }
  await run.status.write(run);
  return result;
}

function keyOf({ namespace, name }: Request): Request {
  return { namespace, name };
}
