// +groupName=rules.example.com
package v1
