// Reads expressions (one JSON object per line: {"expr": …, "vars": {…}}) and writes their values in Kubernetes' CEL
// environment, for src/lib/cel/recorded/expressions.json. Run it by hand, in a module that requires the compared version
// of k8s.io/apiserver:
//
//	go run . < expressions.jsonl > expressions.json
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"google.golang.org/protobuf/types/known/structpb"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"
)

type question struct {
	Expr string         `json:"expr"`
	Vars map[string]any `json:"vars,omitempty"`
}

type answer struct {
	question
	Type    string `json:"type,omitempty"`
	Compile string `json:"compile,omitempty"`
	Error   string `json:"error,omitempty"`
	Value   any    `json:"value,omitempty"`
}

func main() {
	env := environmentWithVariables()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	var answers []answer
	for lines.Scan() {
		decoder := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		decoder.UseNumber()
		var asked question
		must(decoder.Decode(&asked))
		answers = append(answers, evaluate(env, asked))
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	must(encoder.Encode(answers))
}

func environmentWithVariables() *cel.Env {
	options := []cel.EnvOption{
		cel.Variable("x", cel.DynType), cel.Variable("y", cel.DynType),
		cel.Variable("i", cel.IntType), cel.Variable("s", cel.StringType),
		cel.Variable("li", cel.ListType(cel.IntType)), cel.Variable("ls", cel.ListType(cel.StringType)),
		cel.Variable("ms", cel.MapType(cel.StringType, cel.StringType)),
	}
	set, err := environment.MustBaseEnvSet(version.MajorMinor(1, 36)).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0), EnvOptions: options,
	})
	must(err)
	return set.StoredExpressionsEnv()
}

func evaluate(env *cel.Env, asked question) answer {
	result := answer{question: asked}
	checked, issues := env.Compile(asked.Expr)
	if issues.Err() != nil {
		result.Compile = issues.Err().Error()
		return result
	}
	result.Type = checked.OutputType().String()
	program, err := env.Program(checked)
	if err != nil {
		result.Error = err.Error()
		return result
	}
	vars := map[string]any{}
	for name, value := range asked.Vars {
		vars[name] = withIntegers(value)
	}
	value, _, err := program.Eval(vars)
	if err != nil {
		result.Error = err.Error()
		return result
	}
	result.Value = shown(value)
	return result
}

// Returns the value as JSON where possible, otherwise as text with its type.
func shown(value ref.Val) any {
	if optional, ok := value.(*types.Optional); ok {
		if !optional.HasValue() {
			return "none"
		}
		return []any{"some", shown(optional.GetValue())}
	}
	if native, err := value.ConvertToNative(reflect.TypeOf(&structpb.Value{})); err == nil {
		return map[string]any{value.Type().TypeName(): native.(*structpb.Value).AsInterface()}
	}
	return fmt.Sprintf("%s %v", value.Type().TypeName(), value.Value())
}

func withIntegers(value any) any {
	switch typed := value.(type) {
	case json.Number:
		if whole, err := typed.Int64(); err == nil {
			return whole
		}
		fraction, _ := typed.Float64()
		return fraction
	case []any:
		for index := range typed {
			typed[index] = withIntegers(typed[index])
		}
	case map[string]any:
		for key := range typed {
			typed[key] = withIntegers(typed[key])
		}
	}
	return value
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
