import { type Resource, secrets } from "@operator-path/client";
import {
  type EventHandler,
  metadataOnly,
  type PartialObjectMetadata,
  type Predicate,
} from "@operator-path/controller-runtime";

/**
 * The Secrets that helm keeps releases in. A release may be a megabyte, ten of each are kept, and other Secrets are none of
 * the operator's business: nothing but metadata is watched.
 */
export const releaseSecrets = metadataOnly(secrets);

/** Also of metadata alone. */
export function isSecrets({ group, plural }: Resource): boolean {
  return group === secrets.group && plural === secrets.plural;
}

export const isReleaseSecret: Predicate<PartialObjectMetadata> = ({ metadata }) =>
  metadata.labels?.owner === "helm" && (metadata.name ?? "").startsWith("sh.helm.release.v1.");

/**
 * The object of a release has its name. That is how a release is noticed which somebody has upgraded, rolled back or
 * uninstalled by hand; so a selector of objects must not leave these Secrets out.
 */
export const enqueueRequestForRelease: EventHandler<PartialObjectMetadata> = ({ metadata }, queue) => {
  const name = metadata.labels?.name;
  if (name) queue.add({ namespace: metadata.namespace ?? "", name });
};
