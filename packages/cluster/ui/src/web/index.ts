export { getJson, getText, postJson, socketUrl, streamText } from "./api.ts";
