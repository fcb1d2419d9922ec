import type { Table } from "../table.ts";

/** A recorded response of a real server, with its objects (scripts/record-real-server.ts). */
export interface RecordedTable {
  group: string;
  version: string;
  plural: string;
  /** When it was recorded, in milliseconds since the epoch. */
  now: number;
  table: Table;
}
