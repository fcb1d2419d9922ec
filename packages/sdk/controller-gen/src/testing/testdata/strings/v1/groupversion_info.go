// +groupName=strings.example.com
package v1
