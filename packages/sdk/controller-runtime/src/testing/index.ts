export { checkRoundTrip, type FuzzOptions, fuzzRoundTrip } from "../webhook/conversion/round-trip.ts";
export { type EventuallyOptions, eventually } from "./eventually.ts";
export { createFakeClient } from "./fake/fake-client.ts";
export { type Interceptors, interceptClient } from "./fake/interceptors.ts";
export type { FakeClientOptions, FakeIndex } from "./fake/options.ts";
export { checkFaults, type Fault, type FaultScene } from "./faults/check-faults.ts";
export {
  comparablePolicyRules,
  type PolicyRule,
  policyRulesFor,
  policyRulesOf,
} from "./recorder/policy-rules.ts";
export type { RequestAttributes } from "./recorder/request-attributes.ts";
export {
  createRequestRecorder,
  type RecordedRequest,
  type RequestRecorder,
} from "./recorder/request-recorder.ts";
