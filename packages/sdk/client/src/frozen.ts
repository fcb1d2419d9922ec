/** A read-only array that is assignable to a mutable array type. Calls that change it do not compile. */
interface FrozenArray<Item> extends Array<Item> {
  readonly [index: number]: Item;
  readonly length: number;
  readonly copyWithin: never;
  readonly fill: never;
  readonly pop: never;
  readonly push: never;
  readonly reverse: never;
  readonly shift: never;
  readonly sort: never;
  readonly splice: never;
  readonly unshift: never;
}

/** An object whose fields are {@link Frozen}. */
export type FrozenObject<T> = { readonly [Key in keyof T]: Frozen<T[Key]> };

/**
 * An object from a cache, which all readers share. A change to it, at any depth, does not compile. You can
 * pass it to a function that takes a `T`. The compiler does not check that function; a change there throws
 * while freezing is on.
 *
 * To change a copy, write `const draft: Deployment = structuredClone(deployment);`
 */
export type Frozen<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? FrozenArray<Frozen<Item>>
    : T extends object
      ? FrozenObject<T>
      : T;
