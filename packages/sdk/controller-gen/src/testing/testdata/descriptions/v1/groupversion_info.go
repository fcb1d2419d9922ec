// +groupName=descriptions.example.com
package v1
