#!/bin/sh
# Arguments alone are memcached's.
case "${1:--}" in -*) set -- memcached "$@" ;; esac
exec "$@"
