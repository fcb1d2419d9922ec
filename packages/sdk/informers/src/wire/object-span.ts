/** What a scan reads from an object without parsing it. Offsets count from the start of the scanned bytes. */
export interface ObjectSpan {
  /** The object's bytes: [from, to). */
  from: number;
  to: number;
  /**
   * "namespace/name", or "name" for a cluster-scoped object; "" for an object without a name, such as a
   * bookmark.
   */
  key: string;
  uid: string;
  resourceVersion: string;
  /** Value of `metadata`: [metadataFrom, metadataTo); both are -1 if it is missing. */
  metadataFrom: number;
  metadataTo: number;
  /** The range to cut to remove managedFields; both are equal if there are none. */
  cutFrom: number;
  cutTo: number;
}

export function emptyObjectSpan(): ObjectSpan {
  return {
    from: 0,
    to: 0,
    key: "",
    uid: "",
    resourceVersion: "",
    metadataFrom: -1,
    metadataTo: -1,
    cutFrom: 0,
    cutTo: 0,
  };
}
