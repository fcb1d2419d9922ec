// Command kubernetes-types prints, as JSON, the schemas that controller-tools generates from Kubernetes' own Go types.
// It keeps the references between them. generate-kubernetes-types.ts runs it.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"os"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// output has an entry for each type. Packages has the packages in the order of the command line.
type output struct {
	Packages []string                                     `json:"packages"`
	Types    map[string]map[string]apiext.JSONSchemaProps `json:"types"`
}

func main() {
	paths := os.Args[1:]
	roots, err := loader.LoadRoots(paths...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	registry := &markers.Registry{}
	if err := (crd.Generator{}).RegisterMarkers(registry); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	parser := &crd.Parser{
		Collector: &markers.Collector{Registry: registry},
		Checker:   &loader.TypeChecker{NodeFilters: []loader.NodeFilter{crd.Generator{}.CheckFilter()}},
		// controller-gen rejects a type with a float where it is used.
		AllowDangerousTypes: true,
	}
	crd.AddKnownTypes(parser)
	for _, root := range roots {
		parser.NeedPackage(root)
	}
	for _, root := range roots {
		for ident := range parser.Types {
			if ident.Package == root && ast.IsExported(ident.Name) {
				parser.NeedSchemaFor(ident)
			}
		}
	}
	// References lead to types in other packages, which have references of their own.
	for known := -1; known != len(parser.Schemata); {
		known = len(parser.Schemata)
		for ident := range parser.Types {
			if _, wanted := parser.Schemata[ident]; wanted {
				parser.NeedSchemaFor(ident)
			}
		}
	}
	out := output{Packages: paths, Types: map[string]map[string]apiext.JSONSchemaProps{}}
	for ident, schema := range parser.Schemata {
		pkg := loader.NonVendorPath(ident.Package.PkgPath)
		if out.Types[pkg] == nil {
			out.Types[pkg] = map[string]apiext.JSONSchemaProps{}
		}
		out.Types[pkg][ident.Name] = schema
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
