import { type Resource, secrets } from "@operator-path/client";
import {
  type EventHandler,
  metadataOnly,
  type PartialObjectMetadata,
  type Predicate,
} from "@operator-path/controller-runtime";

/**
 * The Secrets in which helm stores releases. Only metadata is watched: a release may take a megabyte, ten
 * revisions of each are kept, and other Secrets are not the operator's business.
 */
export const releaseSecrets = metadataOnly(secrets);

/** Also true of their metadata alone. */
export function isSecrets({ group, plural }: Resource): boolean {
  return group === secrets.group && plural === secrets.plural;
}

export const isReleaseSecret: Predicate<PartialObjectMetadata> = ({ metadata }) =>
  metadata.labels?.owner === "helm" && (metadata.name ?? "").startsWith("sh.helm.release.v1.");

/**
 * Enqueues the object of a release, which has its name. So the operator notices a manual upgrade, rollback or
 * uninstall. A selector of objects must not filter these Secrets.
 */
export const enqueueRequestForRelease: EventHandler<PartialObjectMetadata> = ({ metadata }, queue) => {
  const name = metadata.labels?.name;
  if (name) queue.add({ namespace: metadata.namespace ?? "", name });
};
