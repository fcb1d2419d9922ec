export {
  createSpdyConnection,
  type SpdyConnection,
  type SpdyOptions,
  type SpdyStream,
} from "./connection.ts";
