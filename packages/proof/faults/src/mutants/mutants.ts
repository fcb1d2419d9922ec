/** A mistake: one text in one file, and what takes its place. */
export interface Mutant {
  /** What is wrong with it. */
  name: string;
  /** The package that has it, without the scope. Default "informers". */
  library?: string;
  /** Below the package's src. */
  file: string;
  /** Stands in the file exactly once. Few words, so that it survives edits around it. */
  find: string;
  replace: string;
  /** Caught by an election, and not by a history of informers. */
  isElection?: boolean;
}

/** Each must be caught by a history. One that applies no more is an error: mend it, or say why it went. */
export const mutants: readonly Mutant[] = [
  {
    name: "410 does not lead to a list",
    file: "reflector-state.ts",
    find: "if (isGone(error)) return",
    replace: "if (isGone(error)) return { ...before, errorAnswers: 0 };\n  if (isGone(error)) return",
  },
  {
    name: "a version that is too large is asked for again and again",
    file: "reflector-state.ts",
    find: "if (isTooLarge(error)) return",
    replace: "if (isTooLarge(error)) return { ...before, errorAnswers: 0 };\n  if (isTooLarge(error)) return",
  },
  {
    name: "what a list no longer has is kept",
    file: "store/sink.ts",
    find: "if (entry.epoch !== epoch) deleteMissed(entry);",
    replace: "if (entry.epoch !== epoch) void entry;",
  },
  {
    name: "what a list no longer has goes without a word",
    file: "store/sink.ts",
    find: "if (entry.epoch !== epoch) deleteMissed(entry);",
    replace: "if (entry.epoch !== epoch) store.delete(entry.key);",
  },
  {
    name: "another object of the same name is an update",
    file: "store/sink.ts",
    find: "if (before && before.uid === entry.uid) {",
    replace: "if (before) {",
  },
  {
    name: "an older event takes the place of a newer one",
    file: "reflector-watch.ts",
    find: "if (!isInitial && options.isStale(event.resourceVersion)) return;",
    replace: "",
  },
  {
    name: "a list that is older than what is known is believed",
    file: "reflector.ts",
    find: "if (!isOlder(version, health.resourceVersion)) return;",
    replace: "return;",
  },
  {
    name: "bookmarks do not advance the version",
    file: "reflector-watch.ts",
    find: "if (!isInitial) options.onVersion(event.resourceVersion);",
    replace: 'if (!isInitial && event.type !== "BOOKMARK") options.onVersion(event.resourceVersion);',
  },
  {
    name: "the version is not remembered",
    file: "reflector.ts",
    find: "health.resourceVersion = version;\n          news.isNewer = true;",
    replace: "news.isNewer = true;",
  },
  {
    name: "the tail of a chunk is dropped",
    file: "reflector-watch.ts",
    find: "splitter.push(chunk);",
    replace: "splitter.push(chunk.subarray(0, chunk.lastIndexOf(10) + 1));",
  },
  {
    name: "half a line is carried into the next watch",
    file: "reflector-watch.ts",
    find: "  const splitter = createLineSplitter((line) => onEvent(line, scanEvent(line, span)));",
    replace:
      "  const carried = ((globalThis as never as { carried?: Uint8Array[] }).carried ??= []);\n  const splitter = createLineSplitter((line) => onEvent(line, scanEvent(line, span)));\n  for (const bytes of carried.splice(0)) splitter.push(bytes);\n  const whole = splitter.push;\n  splitter.push = (bytes) => { if (bytes.indexOf(10) < 0) carried.push(bytes.slice()); else carried.length = 0; whole(bytes); };",
  },
  {
    name: "Retry-After is not heeded",
    file: "reflector.ts",
    find: "Math.max(backoff.next(), retryAfterOf(error))",
    replace: "backoff.next()",
  },
  {
    name: "no back-off",
    file: "reflector.ts",
    find: "await clock.sleep(Math.max(backoff.next(), retryAfterOf(error)), signal).catch(() => {});",
    replace: "await clock.sleep(retryAfterOf(error), signal).catch(() => {});",
  },
  {
    name: "watches that end at once are asked for in a hot loop",
    file: "reflector.ts",
    find: "if (!news.isNewer && clock.steady() - began < 1_000)",
    replace: "if (false)",
  },
  {
    name: "a silent watch is waited for without end",
    file: "reflector-watch.ts",
    find: "const ended = AbortSignal.any([signal, deadline.signal, overdue.signal]);",
    replace: "const ended = signal;",
  },
  {
    name: "a deadline's timer is left behind",
    file: "reflector-watch.ts",
    find: "deadline.clear();\n    clock.clearTimeout(overdueTimer);\n  }",
    replace: "clock.clearTimeout(overdueTimer);\n  }",
  },
  {
    name: "HasSynced before the handlers have finished",
    file: "shared-informer.ts",
    find: "hasListed && [...first].every((processor) => processor.hasSynced())",
    replace: "hasListed",
  },
  {
    name: "a late handler has synced before it is told of what is there",
    file: "shared-informer.ts",
    find: 'if (store.size > 0) processor.push({ type: "initial"',
    replace:
      'if (hasListed) processor.push({ type: "synced" });\n      if (store.size > 0) processor.push({ type: "initial"',
  },
  {
    name: "every addition is of the initial list",
    file: "store/sink.ts",
    find: "isInInitialList = false;",
    replace: "",
  },
  {
    name: "HasSynced after the first page",
    file: "reflector-list.ts",
    find: "if (next === undefined) {\n        sink.end();",
    replace: "sink.end();\n      if (next === undefined) {",
  },
  {
    name: "an expired continue token starts no new list",
    file: "reflector-list.ts",
    find: "if (!(error instanceof PageExpired)) throw error;",
    replace: "throw error;",
  },
  {
    name: "a handler that throws ends its events",
    file: "event-handler.ts",
    find: "onError(error);\n      }\n    }\n    return undefined;",
    replace: "onError(error);\n        removed = true;\n      }\n    }\n    return undefined;",
  },
  {
    name: "an async handler is not waited for",
    file: "event-handler.ts",
    find: "if (isThenable(result)) return finish(",
    replace: "if (isThenable(result)) void finish(",
  },
  {
    name: "a handler that rejects is not caught",
    file: "event-handler.ts",
    find: "try {\n      await result;\n    } catch (error) {\n      onError(error);\n    }",
    replace: "await result;",
  },
  {
    name: "a handler that was removed is called again",
    file: "event-handler.ts",
    find: "if (removed) return undefined;",
    replace: "",
  },
  {
    name: "an index keeps what has gone",
    file: "store/entry-store.ts",
    find: "indexes.put(entry, before);",
    replace: "indexes.put(entry, undefined);",
  },
  {
    name: "two workers on one key",
    file: "work-queue/work-queue.ts",
    find: '} else if (item.state === "processing") {',
    replace:
      '} else if (item.state === "processing") {\n      ready.push({ ...item, state: "ready" });\n      serve();',
  },
  {
    name: "a key that is added while it is worked on is lost",
    file: "work-queue/work-queue.ts",
    find: 'item.state = "again";\n      item.priority',
    replace: "item.priority",
  },
  {
    name: "a key that failed is lost",
    file: "work-queue/workers.ts",
    find: "queue.addRateLimited(key, { priority });",
    replace: "",
  },
  {
    name: "a watch that ended is followed by a list",
    file: "reflector.ts",
    find: 'else if (end === "silent") {',
    replace: 'else if ((state = after(state, "stream ended")) && end === "silent") {',
  },
  {
    name: "cached objects can be changed",
    file: "store/finish.ts",
    find: "Object.freeze(value);",
    replace: "",
  },
  {
    name: "priorities count for nothing",
    file: "work-queue/ready-keys.ts",
    find: "createHeap<Level>((a, b) => a.priority > b.priority)",
    replace: "createHeap<Level>((a, b) => a.priority < b.priority)",
  },
  {
    name: "a key that is in line is put there once more",
    file: "work-queue/work-queue.ts",
    find: "} else if (priority > item.priority) {",
    replace:
      "} else if (delays.add(key, clock.steady() + 1, priority, orders++), priority > item.priority) {",
  },
  {
    name: "a renewal counts from its answer, not from its request",
    file: "leader-election/candidate.ts",
    find: "term.renewed(attempt.sentAt)",
    replace: "term.renewed(stopwatch.now())",
    isElection: true,
  },
  {
    name: "who was held up believes what it knew before",
    file: "leader-election/term.ts",
    find: "if (!isLost && left() <= 0) check();",
    replace: "",
    isElection: true,
  },
  {
    name: "the leader's deadline is the others' as well",
    file: "leader-election/term.ts",
    find: "const left = () => renewDeadline - ",
    replace: "const left = () => renewDeadline * 2 - ",
    isElection: true,
  },
  {
    name: "a Lease is written whatever stands in it",
    file: "leader-election/lease-lock.ts",
    find: ": metadata;",
    replace: ": { ...metadata, resourceVersion: undefined };",
    isElection: true,
  },
  {
    name: "a Lease that is looked at never expires",
    file: "leader-election/lease-lock.ts",
    find: "at: seen?.record === record ? seen.at : stopwatch.now()",
    replace: "at: stopwatch.now()",
    isElection: true,
  },
  {
    name: "the holder's clock is believed",
    file: "leader-election/lease-lock.ts",
    find: "return stopwatch.atLeastSince(seen.at) >= seconds * 1000;",
    replace: 'return clock.now() - Date.parse(seen.lease.spec?.renewTime ?? "") >= seconds * 1000;',
    isElection: true,
  },
  {
    name: "the Lease is kept in the end",
    file: "leader-election/leader-elector.ts",
    find: "if (releaseOnCancel) await",
    replace: "if (false) await",
    isElection: true,
  },
];
