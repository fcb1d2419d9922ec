// What Go has names for and TypeScript does not. controller-gen knows each by its name; to the compiler they are plain.

/** A whole number, of any size that JSON and JavaScript agree on. Say `int32` or `int64` where you can. */
export type int = number;
/** A whole number; the schema says no more of it (Go: int8). */
export type int8 = number;
/** A whole number; the schema says no more of it (Go: int16). */
export type int16 = number;
/** A whole number from -2³¹ to 2³¹-1. */
export type int32 = number;
/** A whole number. JavaScript is exact to 2⁵³; what is larger belongs into a string. */
export type int64 = number;
/** A whole number; add +kubebuilder:validation:Minimum=0 (Go: uint). */
export type uint = number;
/** A whole number; add Minimum=0 and Maximum=255 (Go: uint8). */
export type uint8 = number;
/** A whole number; add Minimum=0 and Maximum=65535 (Go: uint16). */
export type uint16 = number;
/** A whole number; add Minimum=0 (Go: uint32). */
export type uint32 = number;
/** A whole number; add Minimum=0 (Go: uint64). */
export type uint64 = number;
/** Needs crd:allowDangerousTypes=true: clients in different languages read floats differently. */
export type float32 = number;
/** Needs crd:allowDangerousTypes=true: clients in different languages read floats differently. */
export type float64 = number;
/** Binary data in base64 (Go: []byte). */
export type Bytes = string;

/** "128Mi", "0.5", 2 (Go: resource.Quantity). */
export type Quantity = number | string;
/** 8080, "http", "25%" (Go: intstr.IntOrString). */
export type IntOrString = number | string;
/** RFC 3339: "2026-11-21T19:00:00Z" (Go: metav1.Time). */
export type Time = string;
/** RFC 3339 with microseconds (Go: metav1.MicroTime). */
export type MicroTime = string;
/** "1h30m", as Go's time.ParseDuration reads it (Go: metav1.Duration). */
export type Duration = string;
/** Any value at all (Go: apiextensionsv1.JSON). */
export type JSONValue = unknown;
/** Any object (Go: runtime.RawExtension). */
export type RawExtension = Record<string, unknown>;
