// +groupName=numbers.example.com
package v1
