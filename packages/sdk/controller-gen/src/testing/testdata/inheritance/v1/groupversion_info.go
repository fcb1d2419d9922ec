// +groupName=inheritance.example.com
package v1
