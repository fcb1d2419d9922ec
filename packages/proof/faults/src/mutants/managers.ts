import type { Mutant } from "./run-mutants.ts";

const runtime = "controller-runtime";

/**
 * Mistakes in controller-runtime, leader election and the reference operator. A history must catch each one.
 */
export const managerMutants: readonly Mutant[] = [
  {
    name: "a failed reconcile is not retried",
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
    name: "a TerminalError is retried",
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
    name: "priorities are ignored",
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
    name: "the last of several causes is reported",
    ...{ library: runtime, file: "controller/request-queue.ts" },
    find: "if (dueAt < known.dueAt) {",
    replace: "if (dueAt >= known.dueAt) {",
  },
  {
    name: "objects that exist at the start are not reconciled",
    ...{ library: runtime, file: "source/deliver.ts" },
    find: "for (const predicate of predicates) if (!predicate(event)) return;",
    replace:
      "if (event.isInInitialList) return;\n  for (const predicate of predicates) if (!predicate(event)) return;",
  },
  {
    name: "the generation predicate drops deletions",
    ...{ library: runtime, file: "predicate/changed.ts" },
    find: 'event.type !== "updated" || event.metadata.generation !== event.oldMetadata?.generation;',
    replace:
      'event.type !== "updated" || (!event.metadata.deletionTimestamp && event.metadata.generation !== event.oldMetadata?.generation);',
  },
  {
    name: "the generation predicate passes only additions",
    ...{ library: runtime, file: "predicate/changed.ts" },
    find: 'event.type !== "updated" || event.metadata.generation !== event.oldMetadata?.generation;',
    replace: 'event.type !== "updated";',
  },
  {
    name: "the deletion of a child does not reconcile its owner",
    ...{ library: runtime, file: "handler/enqueue-request-for-owner.ts" },
    find: "const owners = new Map<string, Request>();",
    replace: 'const owners = new Map<string, Request>();\n    if (event.type === "deleted") return;',
  },
  {
    name: "owners of other kinds are reconciled instead of those of the own kind",
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
    name: "reads do not wait for writes of a subresource",
    ...{ library: runtime, file: "client/server-subresource.ts" },
    find: "if (answer.kind === resource.kind) noted(context, resource, {}, answer);",
    replace: "if (answer.kind === resource.kind) return;",
  },
  {
    name: "the finalizer is removed after a failed clean-up",
    ...{ library: runtime, file: "finalizer/finalizers.ts" },
    find: "current = error === undefined ? removeFinalizer(changed, name) : changed;",
    replace: "current = removeFinalizer(changed, name);",
  },
  {
    name: "the finalizer is removed without a clean-up",
    ...{ library: runtime, file: "finalizer/finalizers.ts" },
    find: "const { object: changed = current, error } = await run(finalizer, current, signal);",
    replace:
      "const changed = current;\n          const error = (await Promise.resolve(run)) ? undefined : run;",
  },
  {
    name: "a finalizer is never removed",
    ...{ library: runtime, file: "finalizer/finalizers.ts" },
    find: "current = error === undefined ? removeFinalizer(changed, name) : changed;",
    replace: "current = changed;",
  },
  {
    name: "foreign finalizers are removed with the own finalizer",
    ...{ library: runtime, file: "controllerutil/finalizers.ts" },
    find: "filter((other) => other !== finalizer)",
    replace: "filter((other) => false && other !== finalizer)",
  },
  {
    name: "a controller reference is a plain owner reference",
    ...{ library: runtime, file: "controllerutil/owner-references.ts" },
    find: "const reference = { ...referenceTo(owner), controller: true, blockOwnerDeletion };",
    replace: "const reference = { ...referenceTo(owner), controller: false, blockOwnerDeletion };",
  },
  {
    name: "createOrUpdate writes without a change",
    ...{ library: runtime, file: "controllerutil/create-or-update.ts" },
    find: "if (isSameObject(existing, wanted)) return",
    replace: "if (existing === wanted) return",
  },
  {
    name: "an unchanged condition counts as changed",
    ...{ library: runtime, file: "conditions/conditions.ts" },
    find: "if (isSame(existing, wanted)) return conditions as Condition[];",
    replace: "",
  },
  {
    name: "the optimistic lock is missing",
    ...{ library: runtime, file: "client/patch.ts" },
    find: "if (!optimisticLock) return patch;",
    replace: "return patch;",
  },
  {
    name: "a deletion's preconditions are missing",
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
    name: "a timeout does not abort the signal",
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
    name: "shutdown does not wait for reconciles",
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
    name: "an operator creates the external record before its finalizer",
    ...{ library: "faults", file: "managers/reference/reconcile-site.ts" },
    find: "if (held !== found) await write(found, held, asked);",
    replace:
      'if (held !== found) {\n      const { namespace, name } = request;\n      await records.set(namespace + "/" + name, { uid: found.metadata?.uid ?? "", size: 1 });\n      await write(found, held, asked);\n    }',
  },
  {
    kind: "pairs",
    name: "an operator creates the external record from its cache",
    ...{ library: "faults", file: "managers/reference/reconcile-site.ts" },
    find: "if (record?.uid !== uid) await checkThatItLives(site, asked);",
    replace: "",
  },
  {
    name: "an operator takes over a foreign object",
    ...{ library: "faults", file: "managers/reference/reconcile-site.ts" },
    find: "if (child && getControllerOf(child)?.uid !== uid) return false;",
    replace: "",
  },
  {
    name: "an operator deletes without a precondition",
    ...{ library: "faults", file: "managers/reference/reconcile-site.ts" },
    find: "const preconditions = { uid: childUid, resourceVersion };",
    replace: "const preconditions = childUid && resourceVersion ? {} : {};",
  },
  {
    name: "an operator reports a generation that it has not seen",
    ...{ library: "faults", file: "managers/reference/reconcile-site.ts" },
    find: "const observedGeneration = site.metadata?.generation ?? 0;",
    replace: "const observedGeneration = (site.metadata?.generation ?? 0) + 1;",
  },
  {
    name: "an operator ignores its signal before an external change",
    kind: "pairs",
    ...{ library: "faults", file: "managers/reference/reconcile-site.ts" },
    find: "signal.throwIfAborted();\n    await records.set(",
    replace: "await records.set(",
  },
  {
    name: "a write after the loss of leadership",
    kind: "pairs",
    ...{ library: runtime, file: "manager/fenced-transport.ts" },
    find: "if (error) throw error;",
    replace: "",
  },
  {
    name: "the loss of leadership does not abort a reconcile",
    kind: "pairs",
    ...{ library: runtime, file: "controller/reconcile-signal.ts" },
    find: "if (parent.aborted) onAbort();\n    else if",
    replace: "if",
  },
  {
    name: "a replica without the Lease reconciles",
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
    name: "a process that was blocked trusts its old knowledge",
    kind: "pairs",
    ...{ library: "informers", file: "leader-election/term.ts" },
    find: "if (!isLost && left() <= 0) check();",
    replace: "",
  },
  {
    name: "the other candidates use the leader's deadline",
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
