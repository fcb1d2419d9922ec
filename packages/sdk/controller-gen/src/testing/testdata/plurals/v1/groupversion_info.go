// +groupName=plurals.example.com
package v1
