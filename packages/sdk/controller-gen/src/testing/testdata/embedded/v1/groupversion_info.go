// +groupName=embedded.example.com
package v1
