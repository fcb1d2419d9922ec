package v1

// Car drives.
type Car struct {
	Doors int32 `json:"doors"`
}
