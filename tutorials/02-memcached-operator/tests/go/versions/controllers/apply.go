// Package controllers has the server-side apply of page 3, in Go.
package controllers

import (
	"context"

	appsv1ac "k8s.io/client-go/applyconfigurations/apps/v1"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	metav1ac "k8s.io/client-go/applyconfigurations/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	v1 "github.com/example/memcached-operator/versions/v1"
)

// applyDeployment takes back fields that others have changed.
func applyDeployment(ctx context.Context, c client.Client, m *v1.Memcached) error {
	deployment := appsv1ac.Deployment(m.Name, m.Namespace).
		WithOwnerReferences(metav1ac.OwnerReference().
			WithAPIVersion("cache.example.com/v1").WithKind("Memcached").
			WithName(m.Name).WithUID(m.UID).
			WithController(true).WithBlockOwnerDeletion(true)).
		WithSpec(specFor(m))
	return c.Apply(ctx, deployment, client.FieldOwner("memcached-operator"), client.ForceOwnership)
}

// specFor is the part that deploymentFor has in TypeScript. Page 3 does not show it.
func specFor(m *v1.Memcached) *appsv1ac.DeploymentSpecApplyConfiguration {
	labels := map[string]string{"app": "memcached", "memcached_cr": m.Name}
	return appsv1ac.DeploymentSpec().
		WithReplicas(m.Spec.Replicas).
		WithSelector(metav1ac.LabelSelector().WithMatchLabels(labels)).
		WithTemplate(corev1ac.PodTemplateSpec().
			WithLabels(labels).
			WithSpec(corev1ac.PodSpec().
				WithContainers(corev1ac.Container().WithName("memcached").WithImage("memcached:1.6.39-alpine"))))
}

var _ = applyDeployment
