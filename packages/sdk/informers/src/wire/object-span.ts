/** What is read of an object without parsing it. Offsets count from the beginning of the bytes that were scanned. */
export interface ObjectSpan {
  /** The object's bytes: [from, to). */
  from: number;
  to: number;
  /** "namespace/name", or "name" of a cluster-scoped object; "" of an object without a name, as a bookmark is. */
  key: string;
  uid: string;
  resourceVersion: string;
  /** Value of `metadata`: [metadataFrom, metadataTo), both -1 when absent. */
  metadataFrom: number;
  metadataTo: number;
  /** What to leave out so that the rest is the same object without managedFields; equal when there are none. */
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
