import { withProgress } from "./progress.ts";
import { openSession, type Session } from "./session.ts";

/** The sessions of one `pnpm start`: one cluster for each tutorial, with the nodes of its kind-cluster.yaml. */
export interface Sessions {
  /** Returns the tutorial's session. Starts its cluster when the learner needs it for the first time. */
  of(tutorial: string): Promise<Session>;
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
      open.set(tutorial, { session, own });
      return session;
    },
    async close(tutorial) {
      const known = open.get(tutorial);
      open.delete(tutorial);
      await known?.own.disposeAsync();
    },
  };
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
