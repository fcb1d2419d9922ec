export { type Claim, unproven, verifiedLine, withVerifiedLine } from "./claims.ts";
export { formatReport, type KindReport, type PageResult } from "./report.ts";
