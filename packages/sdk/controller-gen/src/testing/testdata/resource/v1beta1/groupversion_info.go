// +groupName=resource.example.com
package v1beta1
