import type { ControllerRevision, PodTemplateSpec, StatefulSet } from "@operator-path/client";
import type { RevisionHistory } from "../history/history.ts";
import { hasEqualData, revisionData, revisionHash } from "../history/revision-data.ts";
import { nameOf } from "../objects.ts";

const hashLabel = "controller.kubernetes.io/hash";

export interface StatefulSetRevisions {
  /** What the StatefulSet is being brought from. */
  current: ControllerRevision;
  /** What its template is. */
  update: ControllerRevision;
  /** All of them, oldest first. */
  all: ControllerRevision[];
  collisionCount: number;
}

/**
 * The revisions between which a StatefulSet is. A template that nobody has seen before gets one; one that was there
 * before is made the latest again, which is what a rollback is.
 */
export async function resolveRevisions(
  set: StatefulSet,
  history: RevisionHistory,
): Promise<StatefulSetRevisions> {
  const all = await history.list(set);
  const latest = all.at(-1);
  const data = revisionData(set.spec?.template);
  let collisionCount = set.status?.collisionCount ?? 0;

  const equal = all.findLast((revision) => hasEqualData(revision, data));
  let update: ControllerRevision;
  if (equal !== undefined) {
    update = equal === latest ? equal : await history.renumber(equal, (latest?.revision ?? 0) + 1);
  } else {
    const create = () => {
      const hash = revisionHash(data, collisionCount);
      return history.create(set, {
        name: `${nameOf(set).slice(0, 223)}-${hash}`,
        data,
        revision: (latest?.revision ?? 0) + 1,
        labels: { ...templateLabels(set.spec?.template), [hashLabel]: hash },
      });
    };
    let created = await create();
    while (created === "collision") {
      collisionCount++;
      created = await create();
    }
    update = created;
  }
  const current = all.find((revision) => nameOf(revision) === set.status?.currentRevision) ?? update;
  return { current, update, all, collisionCount };
}

function templateLabels(template: PodTemplateSpec | undefined): Record<string, string> {
  return template?.metadata?.labels ?? {};
}
