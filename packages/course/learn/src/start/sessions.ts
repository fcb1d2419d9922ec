import { readFinished } from "../finished-steps.ts";
import { wrappedLog } from "../wrapped-log.ts";
import {
  isLater,
  noteUnsaved,
  restoreObjects,
  savedPage,
  saveObjects,
  takeObjectsOf,
  wasLeftUnsaved,
} from "./cluster-objects.ts";
import { withProgress } from "./progress.ts";
import { openSession, type Session, workshopsOf } from "./session.ts";

/** The sessions of one `pnpm start`: one cluster for each tutorial, with the nodes of its kind-cluster.yaml. */
export interface Sessions {
  /**
   * Returns the session of the page's tutorial. Starts its cluster when the learner needs it for the first time, with
   * the objects of an earlier session, except those of a later page.
   *
   * @param page name of the page that the learner opens: `02-memcached-operator/3`
   * @param looks the learner may only look at the page: the cluster's objects become this page's with `save`
   */
  of(page: string, options?: { readonly looks?: boolean }): Promise<Session>;
  /** Returns the later page whose objects the tutorial's cluster has. Undefined: it has none of a later page. */
  laterThan(page: string): Promise<string | undefined>;
  /** Stops the tutorial's cluster if it has the objects of a later page. `of` then starts another one. */
  goBackTo(page: string): Promise<void>;
  /**
   * Saves the objects of the tutorial's cluster, for a session that cannot save them at its end.
   *
   * @param page the page that the learner has just worked on. Default: the opened one
   */
  save(tutorial: string, page?: string): Promise<void>;
  /** Stops the tutorial's cluster, if it runs. The next `of` starts an empty one. */
  close(tutorial: string): Promise<void>;
}

export interface SessionsOptions {
  readonly root: string;
  readonly signal: AbortSignal;
}

/** Returns no session yet. `undo` closes all of them. */
export function createSessions(options: SessionsOptions, undo: AsyncDisposableStack): Sessions {
  const open = new Map<string, OpenSession>();
  const lastPage = async (): Promise<string | undefined> =>
    (await readFinished(workshopsOf(options.root))).finished.last;

  /** Returns the page that the learner worked on: the opened one, or another one of which a step was finished since. */
  async function pageOf({ opened, last }: OpenSession): Promise<string> {
    const now = await lastPage();
    return now !== undefined && now !== last && tutorialOf(now) === tutorialOf(opened) ? now : opened;
  }

  async function close(tutorial: string): Promise<void> {
    const known = open.get(tutorial);
    open.delete(tutorial);
    await known?.own.disposeAsync();
  }

  async function laterThan(page: string): Promise<string | undefined> {
    const known = open.get(tutorialOf(page));
    const now = known && (await pageOf(known));
    return now !== undefined && isLater(now, page) ? now : undefined;
  }

  return {
    async of(page, { looks = false } = {}) {
      const tutorial = tutorialOf(page);
      const known = open.get(tutorial);
      if (known) {
        if (!looks) Object.assign(known, { opened: page, last: await lastPage() });
        return known.session;
      }
      const own = new AsyncDisposableStack();
      undo.defer(() => own.disposeAsync());
      const session = await openWithProgress({ ...options, tutorial }, own);
      options.signal.throwIfAborted();
      await putBack(session, page);
      // Ctrl+C may also have ended the shell that makes the objects. A save would then forget them.
      options.signal.throwIfAborted();
      await noteUnsaved(session);
      const workedOn = looks ? await savedPage(session) : undefined;
      const opened: OpenSession = { session, own, opened: workedOn ?? page, last: await lastPage() };
      // Runs before the cluster stops, even after the terminal was closed. If it fails, the session still ends, and
      // the next one reports it.
      own.defer(async () => saveObjects(session, await pageOf(opened)).catch(() => undefined));
      open.set(tutorial, opened);
      options.signal.throwIfAborted();
      return session;
    },
    laterThan,
    async goBackTo(page) {
      if ((await laterThan(page)) !== undefined) await close(tutorialOf(page));
    },
    async save(tutorial, page) {
      const known = open.get(tutorial);
      if (known === undefined) return;
      if (page !== undefined) Object.assign(known, { opened: page, last: await lastPage() });
      await saveObjects(known.session, await pageOf(known)).catch(() => undefined);
      // What the learner changes from here on is not saved.
      await noteUnsaved(known.session);
    },
    close,
  };
}

interface OpenSession {
  readonly session: Session;
  readonly own: AsyncDisposableStack;
  /** Name of the page that was opened last, and that the learner did not only look at. */
  opened: string;
  /** Name of the page with the last finished step, when that page was opened. */
  last: string | undefined;
}

function tutorialOf(page: string): string {
  return page.replace(/\/.*$/, "");
}

/** Makes the objects of an earlier session again, and says which. */
async function putBack(session: Session, page: string): Promise<void> {
  const aside = await takeObjectsOf(page, session);
  if (aside !== undefined)
    wrappedLog.info(
      `The objects of ${aside} are not in this cluster. They come back when you open that page again.`,
    );
  if (await wasLeftUnsaved(session))
    wrappedLog.warn(
      "Your last session ended before it could save all objects of its cluster. In the shell,\n" +
        "`catch-up --objects` makes those of the page again.",
    );
  const restored = await restoreObjects(session).catch(() => undefined);
  if (restored === undefined) return;
  const { made, missing, missingImages, namespace } = restored;
  if (made.length > 0) wrappedLog.info(`From your last session, the cluster has again:\n${listed(made)}`);
  if (namespace !== undefined) wrappedLog.info(`kubectl uses the namespace ${namespace} again.`);
  if (missing.length > 0)
    wrappedLog.warn(
      `These are missing, because the cluster rejects them now:\n${listed(missing)}\n` +
        "They may need your operator. Once it runs, `catch-up --objects` makes those of the page.",
    );
  if (missingImages.length > 0)
    wrappedLog.warn(
      `The images that you built are not kept, so Pods wait for them:\n${listed(missingImages)}\n` +
        `In the shell, \`make docker-build docker-push IMG=${missingImages[0]}\` builds and pushes ${missingImages.length > 1 ? "the first" : "it"} again. Then delete the Pods that wait: new ones start at once.`,
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
