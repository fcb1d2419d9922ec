package scaffold

// MemcachedSpec has the fields of page 1. On page 2, foo goes and the size becomes required.
type MemcachedSpec struct {
	// foo is an example field of Memcached. Replace it by your own
	// +optional
	Foo string `json:"foo,omitempty"`
	// size is the number of memcached Pods
	// +kubebuilder:validation:Minimum=0
	// +optional
	Size *int32 `json:"size,omitempty"`
}
