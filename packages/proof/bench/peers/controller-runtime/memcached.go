package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "cache.example.com", Version: "v1alpha1"}

type memcachedSpec struct {
	Size int32 `json:"size"`
}

type memcachedStatus struct {
	Nodes              []string `json:"nodes,omitempty"`
	ObservedGeneration int64    `json:"observedGeneration,omitempty"`
}

// Memcached is the resource of the workload; what controller-gen would generate for it is below.
type Memcached struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   memcachedSpec   `json:"spec,omitempty"`
	Status memcachedStatus `json:"status,omitempty"`
}

type MemcachedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Memcached `json:"items"`
}

func (in *Memcached) deepCopyInto(out *Memcached) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	out.Status.Nodes = append([]string(nil), in.Status.Nodes...)
}

func (in *Memcached) DeepCopyObject() runtime.Object {
	out := new(Memcached)
	in.deepCopyInto(out)
	return out
}

func (in *MemcachedList) DeepCopyObject() runtime.Object {
	out := new(MemcachedList)
	out.TypeMeta = in.TypeMeta
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	if in.Items != nil {
		out.Items = make([]Memcached, len(in.Items))
		for index := range in.Items {
			in.Items[index].deepCopyInto(&out.Items[index])
		}
	}
	return out
}

func addToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &Memcached{}, &MemcachedList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	return nil
}
