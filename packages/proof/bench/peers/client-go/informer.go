package main

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// told of each object and each change, as a controller's handler is: it wants the key, and enqueues it.
type told func(key string, resourceVersion string)

// start runs an informer of all objects of a resource: a typed one for Pods, a dynamic one for custom resources.
func start(config *rest.Config, resource string, tell told, stop <-chan struct{}) error {
	informer, err := informerOf(config, resource)
	if err != nil {
		return err
	}
	on := func(object any) {
		key, err := cache.MetaNamespaceKeyFunc(object)
		if err != nil {
			fail(err)
		}
		accessor, err := meta.Accessor(object)
		if err != nil {
			fail(err)
		}
		tell(key, accessor.GetResourceVersion())
	}
	handler := cache.ResourceEventHandlerFuncs{AddFunc: on, UpdateFunc: func(_, object any) { on(object) }}
	if _, err := informer.AddEventHandler(handler); err != nil {
		return err
	}
	go informer.Run(stop)
	return nil
}

func informerOf(config *rest.Config, resource string) (cache.SharedIndexInformer, error) {
	switch resource {
	case "pods":
		client, err := kubernetes.NewForConfig(config)
		if err != nil {
			return nil, err
		}
		return informers.NewSharedInformerFactory(client, 0).Core().V1().Pods().Informer(), nil
	case "caches":
		client, err := dynamic.NewForConfig(config)
		if err != nil {
			return nil, err
		}
		caches := schema.GroupVersionResource{Group: "bench.example.com", Version: "v1", Resource: "caches"}
		return dynamicinformer.NewDynamicSharedInformerFactory(client, 0).ForResource(caches).Informer(), nil
	}
	return nil, fmt.Errorf("there is no resource %q: pods or caches", resource)
}
