import type { KubeObject, ObjectMeta } from "@operator-path/client";
import type { ObjectEvent } from "../object-event.ts";

/** Returns an event whose objects must not be parsed: reading one throws. */
export function unparsed(
  type: ObjectEvent["type"],
  metadata: ObjectMeta,
  oldMetadata?: ObjectMeta,
  more: Partial<ObjectEvent> = {},
): ObjectEvent {
  const { namespace, name = "", resourceVersion = "2" } = metadata;
  const parse = () => {
    throw new Error("the object was parsed");
  };
  return {
    type,
    key: namespace ? `${namespace}/${name}` : name,
    resourceVersion,
    oldResourceVersion: oldMetadata && (oldMetadata.resourceVersion ?? "1"),
    isInInitialList: false,
    isFinalStateUnknown: false,
    metadata,
    oldMetadata,
    get object(): KubeObject {
      return parse();
    },
    get old(): KubeObject | undefined {
      return parse();
    },
    ...more,
  };
}
