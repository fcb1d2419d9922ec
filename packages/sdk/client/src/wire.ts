/**
 * A model of client-node as it travels: timestamps are strings (RFC 3339), at any depth. client-node's models say
 * `Date`, because its serializer makes them so; nothing here does, and what one reads is what the server sent.
 */
export type Wire<T> = T extends Date
  ? string
  : T extends (infer Item)[]
    ? Wire<Item>[]
    : T extends object
      ? { [Key in keyof T]: Wire<T[Key]> }
      : T;
