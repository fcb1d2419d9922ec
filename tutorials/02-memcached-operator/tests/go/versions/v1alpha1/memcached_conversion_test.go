package v1alpha1

import (
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	v1 "github.com/example/memcached-operator/versions/v1"
)

func TestARoundTripLosesNothing(t *testing.T) {
	memory := int32(64)
	hub := &v1.Memcached{
		ObjectMeta: metav1.ObjectMeta{Name: "sample", Annotations: map[string]string{"team": "shop"}},
		Spec:       v1.MemcachedSpec{Replicas: 3, Memory: &memory, WhenFull: "Error"},
		Status:     v1.MemcachedStatus{Nodes: []string{"sample-0"}},
	}
	var spoke Memcached
	var back v1.Memcached
	if err := spoke.ConvertFrom(hub); err != nil {
		t.Fatal(err)
	}
	if err := spoke.ConvertTo(&back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&back, hub) {
		t.Errorf("got %+v, want %+v", back, hub)
	}
}
