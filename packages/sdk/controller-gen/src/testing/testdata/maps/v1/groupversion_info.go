// +groupName=maps.example.com
package v1
