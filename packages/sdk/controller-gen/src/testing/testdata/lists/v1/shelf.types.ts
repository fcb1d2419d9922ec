import type { int32, int64, KubeObject } from "@operator-path/controller-gen/types";

/** Book stands on a shelf. */
export interface Book {
  title: string;
  language: string;
  pages?: int32;
}

/**
 * Tags are words.
 * +listType=set
 * +kubebuilder:validation:MaxItems=5
 * +kubebuilder:validation:items:MaxLength=10
 */
export type Tags = readonly string[];

export interface ShelfSpec {
  // +kubebuilder:validation:MinItems=1
  // +kubebuilder:validation:MaxItems=100
  // +listType=map
  // +listMapKey=title
  // +listMapKey=language
  books: Book[];
  // +kubebuilder:validation:UniqueItems=true
  colors?: Array<string>;
  // +listType=atomic
  // +kubebuilder:validation:items:Minimum=0
  // +kubebuilder:validation:items:MultipleOf=2
  // +kubebuilder:validation:items:XValidation:rule="self != 4",message="not four"
  widths?: ReadonlyArray<int32>;
  // +kubebuilder:validation:items:Pattern=`^[a-c]$`
  letters?: ("a" | "b" | "c")[];
  /** Rows are lists of lists. */
  rows?: int64[][];
  /** Words describe it. */
  words?: Tags;
  groups?: Tags[];
  // +kubebuilder:default={"x","y"}
  // +kubebuilder:example=p;q
  preset?: string[];
}

export interface Shelf extends KubeObject {
  spec?: ShelfSpec;
}
