#!/usr/bin/env python3
"""Runs a program on a system that refuses what others do: a seccomp filter answers the calls with an error.

    filtered.py WHAT[,WHAT...] PROGRAM [ARGUMENT...]

WHAT: map (opening a file only to write into it, as for the ids of a user namespace), namespaces, landlock, seccomp, limits,
close_range.
"""

import ctypes
import errno
import os
import platform
import struct
import sys

NUMBERS = {     # numbers of x86_64; of aarch64 and riscv64
    "openat": (257, 56), "unshare": (272, 97), "landlock_create_ruleset": (444, 444), "seccomp": (317, 277),
    "prlimit64": (302, 261), "setrlimit": (160, 164), "close_range": (436, 436),
}
REFUSED = {     # call, error, (argument, its value) or None
    "map": [("openat", errno.EACCES, (2, os.O_WRONLY | os.O_CLOEXEC))],
    "namespaces": [("unshare", errno.EPERM, None)],
    "landlock": [("landlock_create_ruleset", errno.EOPNOTSUPP, None)],
    "seccomp": [("seccomp", errno.EPERM, None)],
    "limits": [("prlimit64", errno.EPERM, None), ("setrlimit", errno.EPERM, None)],
    "close_range": [("close_range", errno.ENOSYS, None)],
}
LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, MODE_FILTER = 22, 38, 2


def program(names):
    at = {"x86_64": 0, "aarch64": 1, "riscv64": 1}[platform.machine()]
    steps = [(LOAD, 0, 0, 0)]
    for name in names:
        for call, error, argument in REFUSED[name]:
            refusal = (RETURN, 0, 0, ERRNO | error)
            if argument:
                body = [(LOAD, 0, 0, 16 + 8 * argument[0]), (EQUAL, 0, 1, argument[1]), refusal, (RETURN, 0, 0, ALLOW)]
            else:
                body = [refusal]
            steps += [(EQUAL, 0, len(body), NUMBERS[call][at]), *body]
    return steps + [(RETURN, 0, 0, ALLOW)]


def install(names):
    libc = ctypes.CDLL(None, use_errno=True)
    steps = program(names)
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    head = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(code))
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, MODE_FILTER, head, 0, 0):
        sys.exit(f"no filter can be set: {os.strerror(ctypes.get_errno())}")


def main():
    install(sys.argv[1].split(","))
    os.execv(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
