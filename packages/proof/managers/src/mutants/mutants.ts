import type { Mutant } from "@operator-path/faults";
import type { Kind } from "../run/run-many.ts";

/** A mistake that histories of managers catch. */
export interface ManagerMutant extends Mutant {
  /** Which of them. Default "managers". */
  kind?: Kind;
}

const runtime = "controller-runtime";

/** Each must be caught by a history. One that applies no more is an error: mend it, or say why it went. */
export const mutants: readonly ManagerMutant[] = [
  {
    name: "a reconcile that failed is not tried again",
    ...{ library: runtime, file: "controller/reconcile-one.ts" },
    find: 'queue.add(request, { rateLimited: true, priority, cause: { trigger: "backoff" } });',
    replace: "",
  },
  {
    name: "the back-off does not grow",
    ...{ library: runtime, file: "controller/reconcile-one.ts" },
    find: "queue.add(request, { rateLimited: true, priority,",
    replace: "queue.add(request, { after: 5, priority,",
  },
  {
    name: "a TerminalError is tried again",
    ...{ library: runtime, file: "controller/reconcile-one.ts" },
    find: "const terminal = isTerminal(error);",
    replace: "const terminal = false && isTerminal(error);",
  },
  {
    name: "a TerminalError does not end the back-off",
    ...{ library: runtime, file: "controller/reconcile-one.ts" },
    find: "// No retry: the next change starts without a back-off.\n    queue.forget(key);",
    replace: "",
  },
  {
    name: "a success does not end the back-off",
    ...{ library: runtime, file: "controller/reconcile-one.ts" },
    find: "queue.forget(key);\n    metrics.result.success.inc();",
    replace: "metrics.result.success.inc();",
  },
  {
    name: "requeueAfter does not end the back-off",
    ...{ library: runtime, file: "controller/reconcile-one.ts" },
    find: "// A fixed interval from here on: end the back-off.\n    queue.forget(key);",
    replace: "",
  },
  {
    name: "requeueAfter is lost",
    ...{ library: runtime, file: "controller/reconcile-one.ts" },
    find: 'queue.add(request, { ...next, after: result.requeueAfter, cause: { trigger: "requeueAfter" } });',
    replace: "",
  },
  {
    name: "two workers on one key",
    ...{ library: runtime, file: "controller/request-queue.ts" },
    find: "const { key, priority } = item;",
    replace: "const { key, priority } = item;\n      queue.done(key);",
  },
  {
    name: "priorities count for nothing",
    ...{ library: runtime, file: "controller/request-queue.ts" },
    find: "const options = usePriorityQueue ? { priority } : {};",
    replace: "const options = {};",
  },
  {
    name: "the cause is dropped",
    ...{ library: runtime, file: "controller/request-queue.ts" },
    find: "pending.set(key, { trigger, dueAt, count: 1 });",
    replace: "",
  },
  {
    name: "the last of several causes is told",
    ...{ library: runtime, file: "controller/request-queue.ts" },
    find: "if (dueAt < known.dueAt) {",
    replace: "if (dueAt >= known.dueAt) {",
  },
  {
    name: "what was there at the start is not reconciled",
    ...{ library: runtime, file: "source/deliver.ts" },
    find: "for (const predicate of predicates) if (!predicate(event)) return;",
    replace:
      "if (event.isInInitialList) return;\n  for (const predicate of predicates) if (!predicate(event)) return;",
  },
  {
    name: "the generation predicate leaves deletions out",
    ...{ library: runtime, file: "predicate/changed.ts" },
    find: 'event.type !== "updated" || event.metadata.generation !== event.oldMetadata?.generation;',
    replace:
      'event.type !== "updated" || (!event.metadata.deletionTimestamp && event.metadata.generation !== event.oldMetadata?.generation);',
  },
  {
    name: "the generation predicate lets nothing pass but additions",
    ...{ library: runtime, file: "predicate/changed.ts" },
    find: 'event.type !== "updated" || event.metadata.generation !== event.oldMetadata?.generation;',
    replace: 'event.type !== "updated";',
  },
  {
    name: "the end of a child does not reconcile its owner",
    ...{ library: runtime, file: "handler/enqueue-request-for-owner.ts" },
    find: "const owners = new Map<string, Request>();",
    replace: 'const owners = new Map<string, Request>();\n    if (event.type === "deleted") return;',
  },
  {
    name: "owners of any kind are reconciled, and the own ones are not",
    ...{ library: runtime, file: "handler/enqueue-request-for-owner.ts" },
    find: "if (kind !== owner.kind || groupOf(apiVersion) !== owner.group) continue;",
    replace: "if (kind === owner.kind) continue;",
  },
  {
    name: "read your own writes is off",
    ...{ library: runtime, file: "cache/pending-writes.ts" },
    find: "if (timeout <= 0) return;",
    replace: "return;",
  },
  {
    name: "a write of a subresource is not waited for",
    ...{ library: runtime, file: "client/server-subresource.ts" },
    find: "if (answer.kind === resource.kind) noted(context, resource, {}, answer);",
    replace: "if (answer.kind === resource.kind) return;",
  },
  {
    name: "the finalizer goes although the clean-up has failed",
    ...{ library: runtime, file: "finalizer/finalizers.ts" },
    find: "current = error === undefined ? removeFinalizer(changed, name) : changed;",
    replace: "current = removeFinalizer(changed, name);",
  },
  {
    name: "the finalizer goes without a clean-up",
    ...{ library: runtime, file: "finalizer/finalizers.ts" },
    find: "const { object: changed = current, error } = await run(finalizer, current, signal);",
    replace:
      "const changed = current;\n          const error = (await Promise.resolve(run)) ? undefined : run;",
  },
  {
    name: "a finalizer is never taken away",
    ...{ library: runtime, file: "finalizer/finalizers.ts" },
    find: "current = error === undefined ? removeFinalizer(changed, name) : changed;",
    replace: "current = changed;",
  },
  {
    name: "everybody's finalizers go with the own one",
    ...{ library: runtime, file: "controllerutil/finalizers.ts" },
    find: "filter((other) => other !== finalizer)",
    replace: "filter((other) => false && other !== finalizer)",
  },
  {
    name: "a controller reference is none",
    ...{ library: runtime, file: "controllerutil/owner-references.ts" },
    find: "const reference = { ...referenceTo(owner), controller: true, blockOwnerDeletion };",
    replace: "const reference = { ...referenceTo(owner), controller: false, blockOwnerDeletion };",
  },
  {
    name: "createOrUpdate writes what is so already",
    ...{ library: runtime, file: "controllerutil/create-or-update.ts" },
    find: "if (isSameObject(existing, wanted)) return",
    replace: "if (existing === wanted) return",
  },
  {
    name: "a condition that has not changed is another one",
    ...{ library: runtime, file: "conditions/conditions.ts" },
    find: "if (isSame(existing, wanted)) return conditions as Condition[];",
    replace: "",
  },
  {
    name: "the optimistic lock is left out",
    ...{ library: runtime, file: "client/patch.ts" },
    find: "if (!optimisticLock) return patch;",
    replace: "return patch;",
  },
  {
    name: "a deletion's preconditions are left out",
    ...{ library: runtime, file: "client/server-writer.ts" },
    find: "const answer = await api.delete(nameOf(object, resource), { ...options, dryRun });",
    replace: "const answer = await api.delete(nameOf(object, resource), { dryRun });",
  },
  {
    kind: "pairs",
    name: "the API reader reads from the cache",
    ...{ library: runtime, file: "manager/create-manager.ts" },
    find: "const apiReader = createObjectClient(patient, { scheme });",
    replace: "const apiReader = client;",
  },
  {
    name: "a timeout tells nobody",
    ...{ library: runtime, file: "controller/reconcile-signal.ts" },
    find: "const deadline = timeout === undefined ? Number.POSITIVE_INFINITY : clock.steady() + timeout;",
    replace: "const deadline = Number.POSITIVE_INFINITY;\n  timeout = undefined;",
  },
  {
    name: "a timeout's timer is left behind",
    ...{ library: runtime, file: "controller/reconcile-signal.ts" },
    find: "if (timer !== undefined) clock.clearTimeout(timer);",
    replace: "if (timer === undefined) clock.clearTimeout(timer);",
  },
  {
    name: "shutdown waits for nobody",
    ...{ library: runtime, file: "manager/runnable-group.ts" },
    find: "while (running.size > 0) await Promise.all(running.values());",
    replace: "",
  },
  {
    name: "the queue is not shut down",
    ...{ library: runtime, file: "controller/create-controller.ts" },
    find: "const shutDown = () => queue.shutDown();",
    replace: "const shutDown = () => {};",
  },
  {
    name: "an operator makes what is outside before its finalizer",
    ...{ library: "managers", file: "reference/reconcile-site.ts" },
    find: "if (held !== found) await write(found, held, asked);",
    replace:
      'if (held !== found) {\n      const { namespace, name } = request;\n      await records.set(namespace + "/" + name, { uid: found.metadata?.uid ?? "", size: 1 });\n      await write(found, held, asked);\n    }',
  },
  {
    kind: "pairs",
    name: "an operator makes what is outside of what it remembers",
    ...{ library: "managers", file: "reference/reconcile-site.ts" },
    find: "if (record?.uid !== uid) await checkThatItLives(site, asked);",
    replace: "",
  },
  {
    name: "an operator takes what is somebody else's",
    ...{ library: "managers", file: "reference/reconcile-site.ts" },
    find: "if (child && getControllerOf(child)?.uid !== uid) return false;",
    replace: "",
  },
  {
    name: "an operator deletes without a precondition",
    ...{ library: "managers", file: "reference/reconcile-site.ts" },
    find: "const preconditions = { uid: childUid, resourceVersion };",
    replace: "const preconditions = childUid && resourceVersion ? {} : {};",
  },
  {
    name: "an operator says that it has seen what it has not",
    ...{ library: "managers", file: "reference/reconcile-site.ts" },
    find: "const observedGeneration = site.metadata?.generation ?? 0;",
    replace: "const observedGeneration = (site.metadata?.generation ?? 0) + 1;",
  },
  {
    name: "an operator does not look at its signal before it changes what is outside",
    kind: "pairs",
    ...{ library: "managers", file: "reference/reconcile-site.ts" },
    find: "signal.throwIfAborted();\n    await records.set(",
    replace: "await records.set(",
  },
  {
    name: "a write after leadership was lost",
    kind: "pairs",
    ...{ library: runtime, file: "manager/fenced-transport.ts" },
    find: "if (error) throw error;",
    replace: "",
  },
  {
    name: "a reconcile is not told that leadership was lost",
    kind: "pairs",
    ...{ library: runtime, file: "controller/reconcile-signal.ts" },
    find: "if (parent.aborted) onAbort();\n    else if",
    replace: "if",
  },
  {
    name: "who does not lead reconciles too",
    kind: "pairs",
    ...{ library: runtime, file: "manager/lifecycle.ts" },
    find: "if (leadership) return leadership.start();",
    replace: "if (leadership) void leadership.start();",
  },
  {
    name: "a renewal counts from its answer, not from its request",
    kind: "pairs",
    ...{ library: "informers", file: "leader-election/candidate.ts" },
    find: "term.renewed(attempt.sentAt)",
    replace: "term.renewed(stopwatch.now())",
  },
  {
    name: "who was held up believes what it knew before",
    kind: "pairs",
    ...{ library: "informers", file: "leader-election/term.ts" },
    find: "if (!isLost && left() <= 0) check();",
    replace: "",
  },
  {
    name: "the leader's deadline is the others' as well",
    kind: "pairs",
    ...{ library: "informers", file: "leader-election/term.ts" },
    find: "const left = () => renewDeadline - ",
    replace: "const left = () => renewDeadline * 2 - ",
  },
  {
    name: "the Lease is kept in the end",
    ...{ library: "informers", file: "leader-election/leader-elector.ts" },
    find: "if (releaseOnCancel) await",
    replace: "if (false) await",
  },
];
