import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { ObservedRequest } from "@operator-path/apiserver";
import type { OnReconcile } from "@operator-path/kubelet";
import { isComponent } from "../components.ts";

/** One line of the record, as JSON. `at` is in milliseconds since the epoch. */
export type ActivityRecord =
  /** A request began. Only watches have an `id`, because only their end is recorded. */
  | {
      readonly at: number;
      readonly type: "request";
      readonly id?: number;
      /** User, Pod and user agent: `system:serviceaccount:shop:operator shop-7d9f operator-path`. */
      readonly client: string;
      readonly method: string;
      readonly path: string;
      /** The query with its question mark, or "". */
      readonly query: string;
    }
  | { readonly at: number; readonly type: "watch-closed"; readonly id: number }
  /** A work queue handed out a key. `process` is the Pod, or the process id. */
  | {
      readonly at: number;
      readonly type: "reconcile";
      readonly process: string;
      readonly queue: string;
      readonly key: string;
    };

export interface ActivityRecorder {
  onRequest(request: ObservedRequest): void;
  readonly onReconcile: OnReconcile;
}

/**
 * Appends the requests of clients and the reconciles of Pods to `cluster.jsonl` in a folder. Tests read it to
 * check that an operator is idle. Each line is written at once, so that a reader in another process sees it.
 */
export function recordActivity(folder: string): ActivityRecorder {
  const file = join(folder, "cluster.jsonl");
  let last = 0;
  const append = (record: ActivityRecord): void => appendFileSync(file, `${JSON.stringify(record)}\n`);
  return {
    onRequest(request) {
      if (isComponent(request.headers["user-agent"])) return;
      const { method, path, rawQuery: query, signal } = request;
      const seen = {
        at: Date.now(),
        type: "request",
        client: clientOf(request),
        method,
        path,
        query,
      } as const;
      if (!/[?&]watch=(?:1|true)(?:&|$)/.test(query)) return append(seen);
      const id = ++last;
      append({ ...seen, id });
      signal.addEventListener("abort", () => append({ at: Date.now(), type: "watch-closed", id }), {
        once: true,
      });
    },
    onReconcile: (process, queue, key) => append({ at: Date.now(), type: "reconcile", process, queue, key }),
  };
}

function clientOf({ user, headers }: ObservedRequest): string {
  const pod = user.extra?.["authentication.kubernetes.io/pod-name"]?.[0];
  return [user.username, ...(pod ? [pod] : []), headers["user-agent"] ?? ""].join(" ");
}
