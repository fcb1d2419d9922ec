package v1alpha1

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/conversion"

	v1 "github.com/example/memcached-operator/versions/v1"
)

const whenFullAnnotation = "cache.example.com/when-full"

// ConvertTo converts this Memcached to the hub.
func (m *Memcached) ConvertTo(hub conversion.Hub) error {
	out := hub.(*v1.Memcached)
	out.ObjectMeta = *m.ObjectMeta.DeepCopy()
	out.Spec = v1.MemcachedSpec{Replicas: m.Spec.Size, Memory: m.Spec.Memory}
	if kept := out.Annotations[whenFullAnnotation]; kept == "Evict" || kept == "Error" {
		out.Spec.WhenFull = kept
		delete(out.Annotations, whenFullAnnotation)
	}
	out.Status = v1.MemcachedStatus{Nodes: slices.Clone(m.Status.Nodes)}
	return nil
}

// ConvertFrom makes this Memcached from the hub.
func (m *Memcached) ConvertFrom(hub conversion.Hub) error {
	in := hub.(*v1.Memcached)
	m.ObjectMeta = *in.ObjectMeta.DeepCopy()
	m.Spec = MemcachedSpec{Size: in.Spec.Replicas, Memory: in.Spec.Memory}
	m.Status = MemcachedStatus{Nodes: slices.Clone(in.Status.Nodes)}
	if in.Spec.WhenFull != "" {
		metav1.SetMetaDataAnnotation(&m.ObjectMeta, whenFullAnnotation, in.Spec.WhenFull)
	}
	return nil
}
