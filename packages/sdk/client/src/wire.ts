/**
 * A model of client-node as it travels, at any depth: timestamps are strings (RFC 3339) and fields have the names of
 * the API. client-node's models say `Date`, `_continue` and `x_kubernetes_int_or_string`, because its serializer makes
 * them so; nothing here does, and what one reads is what the server sent.
 */
export type Wire<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Key in keyof T as WireName<Key>]: Wire<T[Key]> }
      : T;

type WireName<Key> = Key extends `x_kubernetes_${infer Name}`
  ? `x-kubernetes-${Hyphens<Name>}`
  : Key extends `_${infer Name}`
    ? Name
    : Key;

type Hyphens<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}-${Hyphens<Tail>}`
  : Name;
