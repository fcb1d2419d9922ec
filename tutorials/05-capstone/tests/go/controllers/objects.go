// Package controllers has the apply of the capstone, in Go.
package controllers

import (
	"context"

	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// applyPage brings the ConfigMap of a Website's page into the cluster. The Website owns it.
func applyPage(ctx context.Context, c client.Client, website client.Object, text string) error {
	owner := metav1ac.OwnerReference().
		WithAPIVersion("web.example.com/v1").WithKind("Website").
		WithName(website.GetName()).WithUID(website.GetUID()).
		WithController(true).WithBlockOwnerDeletion(true)
	configMap := corev1ac.ConfigMap(website.GetName(), website.GetNamespace()).
		WithOwnerReferences(owner).
		WithData(map[string]string{"index.html": text})
	return c.Apply(ctx, configMap, client.FieldOwner("website-operator"), client.ForceOwnership)
}

var _ = applyPage
