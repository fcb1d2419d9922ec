export {
  createSpdyConnection,
  type SpdyConnection,
  type SpdyOptions,
  type SpdyStream,
} from "./connection.ts";
export type { SpdyHeaders } from "./header-block.ts";
