// +groupName=sharing.example.com
package v1
