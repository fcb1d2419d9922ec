import type { ControllerRevision, DaemonSet } from "@operator-path/client";
import { templateHash } from "../deployment/template-hash.ts";
import type { RevisionHistory } from "../history/history.ts";
import { hasEqualData, revisionData } from "../history/revision-data.ts";
import { nameOf } from "../objects.ts";
import { hashLabel } from "./daemon-pod.ts";

export interface DaemonSetRevisions {
  /** The label that Pods of the template as it is now have. */
  hash: string;
  /** All of them, oldest first. */
  all: ControllerRevision[];
  collisionCount: number | undefined;
}

/** The revision of the template as it is now: an old one made the latest again, or one of its own. */
export async function resolveRevisions(
  daemonSet: DaemonSet,
  history: RevisionHistory,
): Promise<DaemonSetRevisions> {
  const all = await history.list(daemonSet);
  const template = daemonSet.spec?.template ?? {};
  const data = revisionData(template);
  let collisionCount = daemonSet.status?.collisionCount;
  const latest = all.at(-1);
  const equal = all.findLast((revision) => hasEqualData(revision, data));
  if (equal !== undefined) {
    if (equal !== latest) await history.renumber(equal, (latest?.revision ?? 0) + 1);
    return { hash: hashOf(equal), all: [...all.filter((one) => one !== equal), equal], collisionCount };
  }
  for (;;) {
    const hash = templateHash(template, collisionCount);
    const created = await history.create(daemonSet, {
      name: `${nameOf(daemonSet)}-${hash}`,
      data,
      revision: (latest?.revision ?? 0) + 1,
      labels: { ...template.metadata?.labels, [hashLabel]: hash },
    });
    if (created !== "collision") return { hash, all: [...all, created], collisionCount };
    collisionCount = (collisionCount ?? 0) + 1;
  }
}

export function hashOf(revision: ControllerRevision): string {
  return revision.metadata?.labels?.[hashLabel] ?? "";
}
