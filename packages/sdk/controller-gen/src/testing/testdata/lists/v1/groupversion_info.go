// +groupName=lists.example.com
package v1
