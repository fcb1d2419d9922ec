import { log } from "@clack/prompts";
import { noteUnsaved, restoreObjects, saveObjects, wasLeftUnsaved } from "./cluster-objects.ts";
import { withProgress } from "./progress.ts";
import { openSession, type Session } from "./session.ts";

/** The sessions of one `pnpm start`: one cluster for each tutorial, with the nodes of its kind-cluster.yaml. */
export interface Sessions {
  /** Returns the tutorial's session. Starts its cluster when the learner needs it for the first time. */
  of(tutorial: string): Promise<Session>;
  /** Saves the objects of the tutorial's cluster, for a session that cannot save them at its end. */
  save(tutorial: string): Promise<void>;
  /** Stops the tutorial's cluster, if it runs. The next `of` starts an empty one. */
  close(tutorial: string): Promise<void>;
}

export interface SessionsOptions {
  readonly root: string;
  readonly signal: AbortSignal;
}

/** Returns no session yet. `undo` closes all of them. */
export function createSessions(options: SessionsOptions, undo: AsyncDisposableStack): Sessions {
  const open = new Map<string, { readonly session: Session; readonly own: AsyncDisposableStack }>();
  return {
    async of(tutorial) {
      const known = open.get(tutorial);
      if (known) return known.session;
      const own = new AsyncDisposableStack();
      undo.defer(() => own.disposeAsync());
      const session = await openWithProgress({ ...options, tutorial }, own);
      await putBack(session);
      await noteUnsaved(session);
      // Before the cluster stops, also after a closed terminal. Without the objects the session ends all the same,
      // and the next one says so.
      own.defer(() => saveObjects(session).catch(() => undefined));
      open.set(tutorial, { session, own });
      return session;
    },
    async save(tutorial) {
      const known = open.get(tutorial);
      if (known === undefined) return;
      await saveObjects(known.session).catch(() => undefined);
      // What the learner changes from here on is not saved.
      await noteUnsaved(known.session);
    },
    async close(tutorial) {
      const known = open.get(tutorial);
      open.delete(tutorial);
      await known?.own.disposeAsync();
    },
  };
}

/** Makes the objects of an earlier session again, and says which. */
async function putBack(session: Session): Promise<void> {
  if (await wasLeftUnsaved(session))
    log.warn(
      "Your last session ended before it could save all objects of its cluster. In the shell,\n" +
        "`catch-up --objects` makes those of the page again.",
    );
  const restored = await restoreObjects(session).catch(() => undefined);
  if (restored === undefined) return;
  const { made, missing, missingImages } = restored;
  if (made.length > 0) log.info(`From your last session, the cluster has again:\n${listed(made)}`);
  if (missing.length > 0)
    log.warn(`These are missing, because the cluster rejects them now:\n${listed(missing)}`);
  if (missingImages.length > 0)
    log.warn(
      `The images that you built are not kept, so Pods wait for them:\n${listed(missingImages)}\n` +
        "In the shell, `make docker-build docker-push` builds and pushes them again.",
    );
}

/** Returns the first names, one on each line. */
function listed(names: readonly string[]): string {
  const shown = names.slice(0, 12).map((name) => `  ${name}`);
  return [...shown, ...(names.length > 12 ? [`  … ${names.length - 12} more`] : [])].join("\n");
}

/** Starts a session, and shows how long its cluster takes. */
export function openWithProgress(
  options: SessionsOptions & { readonly tutorial: string },
  undo: AsyncDisposableStack,
): Promise<Session> {
  const begin = performance.now();
  const seconds = (): string => ((performance.now() - begin) / 1000).toFixed(1);
  return withProgress(
    {
      doing: "Starting a cluster: a real Kubernetes API with simulated nodes",
      done: ({ url }) => `A cluster is up at ${url} (${seconds()} s)`,
      failed: "The cluster could not be started",
    },
    () => openSession(options, undo),
  );
}
