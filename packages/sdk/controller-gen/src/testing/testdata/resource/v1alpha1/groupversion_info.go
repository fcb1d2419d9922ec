// +groupName=resource.example.com
package v1alpha1
