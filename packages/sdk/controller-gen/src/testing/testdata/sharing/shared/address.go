// Package shared is used by several versions.
package shared

// Address is where.
type Address struct {
	Street  string  `json:"street"`
	Country Country `json:"country,omitempty"`
}

// Country by its code.
// +kubebuilder:validation:Pattern=`^[A-Z]{2}$`
type Country string
