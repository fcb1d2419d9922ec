import type { Table } from "../table.ts";

/** One answer of a real server, its objects included; recorded by scripts/record-real-server.ts. */
export interface RecordedTable {
  group: string;
  version: string;
  plural: string;
  /** When it was answered, milliseconds since the epoch. */
  now: number;
  table: Table;
}
