// Go types without a counterpart in TypeScript. controller-gen knows each one by name. For the compiler they
// are aliases.

/** An integer of up to 53 bits. Prefer `int32` or `int64`. */
export type int = number;
/** An integer; the schema has no range (Go: int8). */
export type int8 = number;
/** An integer; the schema has no range (Go: int16). */
export type int16 = number;
/** An integer from -2³¹ to 2³¹-1. */
export type int32 = number;
/** An integer. JavaScript is exact up to 2⁵³; use a string for larger values. */
export type int64 = number;
/** An integer; add +kubebuilder:validation:Minimum=0 (Go: uint). */
export type uint = number;
/** An integer; add Minimum=0 and Maximum=255 (Go: uint8). */
export type uint8 = number;
/** An integer; add Minimum=0 and Maximum=65535 (Go: uint16). */
export type uint16 = number;
/** An integer; add Minimum=0 (Go: uint32). */
export type uint32 = number;
/** An integer; add Minimum=0 (Go: uint64). */
export type uint64 = number;
/** Needs crd:allowDangerousTypes=true, because languages read floats differently. */
export type float32 = number;
/** Needs crd:allowDangerousTypes=true, because languages read floats differently. */
export type float64 = number;
/** Binary data in base64 (Go: []byte). */
export type Bytes = string;

/** A quantity such as "128Mi", "0.5" or 2 (Go: resource.Quantity). */
export type Quantity = number | string;
/** An integer or a string, such as 8080, "http" or "25%" (Go: intstr.IntOrString). */
export type IntOrString = number | string;
/** A time in RFC 3339: "2026-11-21T19:00:00Z" (Go: metav1.Time). */
export type Time = string;
/** A time in RFC 3339 with microseconds (Go: metav1.MicroTime). */
export type MicroTime = string;
/** A duration such as "1h30m", in the syntax of Go's time.ParseDuration (Go: metav1.Duration). */
export type Duration = string;
/** Any value (Go: apiextensionsv1.JSON). */
export type JSONValue = unknown;
/** Any object (Go: runtime.RawExtension). */
export type RawExtension = Record<string, unknown>;
