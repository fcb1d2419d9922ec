// +groupName=cronjob.example.com
package v1
