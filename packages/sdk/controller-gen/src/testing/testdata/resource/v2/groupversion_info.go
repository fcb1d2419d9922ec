// +groupName=resource.example.com
package v2
