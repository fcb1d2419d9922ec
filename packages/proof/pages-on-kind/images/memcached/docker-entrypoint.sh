#!/bin/sh
# Plain arguments go to memcached.
case "${1:--}" in -*) set -- memcached "$@" ;; esac
exec "$@"
