package v1alpha1

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const protectedLabel = "cache.example.com/protected"

// SetupWebhookWithManager registers what the API server calls.
func SetupWebhookWithManager(mgr ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(mgr, &Memcached{}).
		WithDefaulter(&defaulter{}).
		WithValidator(&validator{}).
		Complete()
}

type defaulter struct{}

// Default gives a Memcached without a memory its share of 1024 MiB for each Pod, and at most 64 MiB.
func (*defaulter) Default(_ context.Context, m *Memcached) error {
	if m.Spec.Memory != nil {
		return nil
	}
	memory := int32(64)
	if m.Spec.Size > 0 {
		memory = min(memory, 1024/m.Spec.Size)
	}
	m.Spec.Memory = &memory
	return nil
}

type validator struct{}

func (*validator) ValidateCreate(context.Context, *Memcached) (admission.Warnings, error) {
	return nil, nil
}
func (*validator) ValidateDelete(context.Context, *Memcached) (admission.Warnings, error) {
	return nil, nil
}

// ValidateUpdate warns when a Memcached shrinks, and rejects it when the Memcached is protected.
func (*validator) ValidateUpdate(_ context.Context, before, after *Memcached) (admission.Warnings, error) {
	lost := before.Spec.Size - after.Spec.Size
	if lost <= 0 {
		return nil, nil
	}
	if before.Labels[protectedLabel] == "true" {
		kind := schema.GroupKind{Group: "cache.example.com", Kind: "Memcached"}
		why := fmt.Sprintf("cannot shrink while the label %s is \"true\"", protectedLabel)
		path := field.NewPath("spec", "size")
		return nil, apierrors.NewInvalid(kind, after.Name, field.ErrorList{field.Invalid(path, after.Spec.Size, why)})
	}
	return admission.Warnings{fmt.Sprintf("%d of %d Pods go, with everything that they hold", lost, before.Spec.Size)}, nil
}
