// Prints the protobuf encoding of the kinds in k8s.io/client-go's scheme, as JSON. src/lib/protobuf/decode.ts needs it to
// turn such a body into JSON. ../generate-protobuf.ts runs this program.
//
// The .proto files do not say which fields are pointers in Go. Only that distinguishes a zero that was sent on purpose
// (replicas: 0) from one that is written because the field cannot be absent.
package main

import (
	"encoding/json"
	"os"
	"reflect"
	"sort"
	"strings"

	"k8s.io/client-go/kubernetes/scheme"
)

type field struct {
	Number   string `json:"number"`
	Name     string `json:"name"`
	Type     string `json:"type"`
	Repeated bool   `json:"repeated,omitempty"`
	Map      bool   `json:"map,omitempty"`
	// Whether JSON omits a zero (Go's omitempty on a field that is neither a pointer nor a struct).
	OmitZero bool `json:"omitZero,omitempty"`
	Inline   bool `json:"inline,omitempty"`
}

var messages = map[string][]field{}

// Types with their own JSON form.
var special = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       "time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  "microTime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":   "duration",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":   "raw",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   "quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": "intOrString",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":    "raw",
}

func name(t reflect.Type) string { return t.PkgPath() + "." + t.Name() }

// The type of a value that is not repeated.
func scalar(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if known, ok := special[name(t)]; ok {
		return known
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Float32, reflect.Float64:
		return "double"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint32, reflect.Uint64, reflect.Uint16:
		return "int"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		// A named slice is its own message: { items }.
		return "items:" + scalar(t.Elem())
	case reflect.Struct:
		describe(t)
		return name(t)
	}
	panic("no protobuf type for " + t.String())
}

func describe(t reflect.Type) {
	if _, ok := messages[name(t)]; ok {
		return
	}
	messages[name(t)] = nil
	fields := []field{}
	for i := 0; i < t.NumField(); i++ {
		member := t.Field(i)
		parts := strings.Split(member.Tag.Get("protobuf"), ",")
		if len(parts) < 3 {
			continue
		}
		options := strings.Split(member.Tag.Get("json"), ",")
		entry := field{Number: parts[1], Name: options[0]}
		omit := false
		for _, option := range options[1:] {
			entry.Inline = entry.Inline || option == "inline"
			omit = omit || option == "omitempty" || option == "omitzero"
		}
		entry.Inline = entry.Inline || (options[0] == "" && member.Anonymous)
		switch {
		case member.Type.Kind() == reflect.Map:
			entry.Map = true
			entry.Type = scalar(member.Type.Elem())
		// A named slice may be its own message. The tags of unnamed ones are not always right.
		case member.Type.Kind() == reflect.Slice && member.Type.Elem().Kind() != reflect.Uint8 && (parts[2] == "rep" || member.Type.Name() == ""):
			entry.Repeated = true
			entry.Type = scalar(member.Type.Elem())
		default:
			entry.Type = scalar(member.Type)
		}
		entry.OmitZero = omit && member.Type.Kind() != reflect.Pointer
		fields = append(fields, entry)
	}
	messages[name(t)] = fields
}

func main() {
	kinds := map[string]string{}
	for gvk, t := range scheme.Scheme.AllKnownTypes() {
		if gvk.Version == "__internal" || strings.HasSuffix(gvk.Kind, "List") || strings.Contains(gvk.Version, "alpha") || strings.Contains(gvk.Version, "beta") {
			continue
		}
		if !strings.HasPrefix(t.PkgPath(), "k8s.io/") || gvk.Kind == "WatchEvent" {
			continue
		}
		if _, ok := reflect.PointerTo(t).MethodByName("Unmarshal"); !ok {
			continue
		}
		group, version := gvk.ToAPIVersionAndKind()
		_ = version
		kinds[group+"/"+gvk.Kind] = scalar(t)
	}
	names := []string{}
	for n := range messages {
		names = append(names, n)
	}
	sort.Strings(names)
	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"kinds": kinds, "messages": messages}); err != nil {
		panic(err)
	}
}
