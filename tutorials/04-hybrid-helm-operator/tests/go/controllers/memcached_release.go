package controllers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strconv"
	"strings"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// These functions have what the options of helm-operator-plugins take, without that module: values are
// chartutil.Values there, which is a map[string]any too, and a hook gets release.Release of helm.

// newMemcached returns an empty Memcached. A chart has no Go type, so its objects are maps.
func newMemcached() *unstructured.Unstructured {
	memcached := &unstructured.Unstructured{}
	memcached.SetGroupVersionKind(schema.GroupVersionKind{
		Group:   "cache.my.domain",
		Version: "v1alpha1",
		Kind:    "Memcached",
	})
	return memcached
}

// valuesFor returns the values of a release: the spec, and the namespace's team as a label of the Pods.
func valuesFor(ctx context.Context, c client.Reader, memcached *unstructured.Unstructured) (map[string]any, error) {
	values, _, err := unstructured.NestedMap(memcached.Object, "spec")
	if err != nil {
		return nil, err
	}
	namespace := &corev1.Namespace{}
	if err := c.Get(ctx, client.ObjectKey{Name: memcached.GetNamespace()}, namespace); err != nil {
		return nil, err
	}
	if values == nil {
		values = map[string]any{}
	}
	if team, ok := namespace.Labels["team"]; ok {
		err = unstructured.SetNestedField(values, team, "podLabels", "team")
	}
	return values, err
}

// atMostFive limits the replicas of a release.
func atMostFive(values map[string]any) map[string]any {
	wanted, ok := values["replicaCount"]
	if !ok || wanted == nil {
		return values
	}
	// Users may write the number as text.
	replicas, err := strconv.Atoi(fmt.Sprint(wanted))
	if err != nil || replicas > 5 {
		replicas = 5
	}
	limited := maps.Clone(values)
	limited["replicaCount"] = int64(replicas)
	return limited
}

// Release has the fields of helm's release.Release that announce reads.
type Release struct {
	Namespace string
	Manifest  string
}

// announce returns a hook that tells users the address of a release's Service.
func announce(events record.EventRecorder) func(*unstructured.Unstructured, Release, logr.Logger) error {
	return func(memcached *unstructured.Unstructured, release Release, _ logr.Logger) error {
		manifest := yaml.NewYAMLOrJSONDecoder(strings.NewReader(release.Manifest), 4096)
		for {
			object := unstructured.Unstructured{}
			err := manifest.Decode(&object.Object)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			if object.GetKind() == "Service" {
				address := object.GetName() + "." + release.Namespace + ".svc"
				events.Event(memcached, corev1.EventTypeNormal, "Address", address)
			}
		}
	}
}
