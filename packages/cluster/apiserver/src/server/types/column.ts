/** A column of a Table: meta/v1 TableColumnDefinition. */
export interface ColumnDefinition {
  /** As it is printed: `Name`, `Ready`. kubectl writes it in capitals. */
  name: string;
  /** OpenAPI type: string, integer, number, boolean, date. */
  type: string;
  /** OpenAPI format; `name` marks the column that holds the object's name. */
  format: string;
  description: string;
  /** 0 is always shown; anything above only with `-o wide`. */
  priority: number;
}
