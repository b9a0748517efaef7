#!/bin/sh
# A double of `systemctl --user`: what it was told is kept in the folder $SYSTEMCTL_DOUBLE. The file `away` there: no user manager;
# the file `broken`: what it starts ends at once.
cd "$SYSTEMCTL_DOUBLE" || exit 9
echo "$*" >> calls
if [ -e away ]; then
  echo "Failed to connect to bus: No medium found" >&2
  exit 1
fi
[ "$1 $2" = "--user --no-pager" ] || exit 8
shift 2
case "$1 $2" in
  "show-environment "*) cat environment 2>/dev/null; exit 0 ;;
  "is-active graphical-session.target") [ -e graphical ] ;;
  "is-enabled perigee.service") [ -e enabled ] && echo enabled ;;
  "is-active perigee.service") [ -e active ] && echo active ;;
  "daemon-reload "*) ;;
  "enable perigee.service") touch enabled ;;
  "restart perigee.service") [ -e broken ] || touch active ;;
  "disable --now") rm -f enabled active ;;
  *) echo "unknown: $*" >&2; exit 7 ;;
esac
