#!/usr/bin/env python3
"""A build for another processor says of its jail that the emulator lacks it, not the kernel.

Runs with a BUILD for another processor, on a machine that gives such programs to qemu's user emulation (binfmt_misc), and
is skipped otherwise.
"""

import json
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests" / "lib"))

import tap                                  # noqa: E402
from server import PERIGEE, Server          # noqa: E402

MACHINES = {62: "x86_64", 183: "arm64", 243: "riscv64"}


def machine_of(program):
    """e_machine of elf(5); None for another kind of file."""
    head = pathlib.Path(program).read_bytes()[:20]
    return int.from_bytes(head[18:20], "little") if head[:4] == b"\x7fELF" else None


def opened():
    server = Server([PERIGEE, "serve", "--root", str(TOP / "tests/wire/root")])
    server.initialize()
    return server


def names_the_emulator(said, own):
    assert "qemu-" in said and "kernel" not in said, said
    assert f"machine's own processor, {own}" in said, said


def a_script_is_refused_with_the_emulators_name(own):
    with opened() as server:
        for _ in range(2):
            answer = server.call("run_lua", {"code": "return 1"})
            assert answer["result"]["_meta"]["perigee/code"] == "no_jail", answer
            names_the_emulator(answer["result"]["content"][0]["text"], own)
        held = server.call("engine_status", {})["result"]["structuredContent"]["jail"]
        assert "no list of system calls" in held and "qemu-" in held and "kernel" not in held, held


def doctor_advises_a_build_for_the_machine(own):
    said = subprocess.run([PERIGEE, "doctor", "--json"], stdout=subprocess.PIPE, check=False).stdout
    about = next(each for each in json.loads(said)["checks"] if each["id"] == "jail")
    assert about["status"] == "error", about
    names_the_emulator(about["text"] + " " + about["next"], own)


def main():
    own, built = machine_of(sys.executable), machine_of(PERIGEE)
    if own == built or not MACHINES.get(own):
        tap.skip("what is said under emulation", "the program is built for this machine's own processor")
        return tap.done()
    for each in (a_script_is_refused_with_the_emulators_name, doctor_advises_a_build_for_the_machine):
        tap.case(each.__name__.replace("_", " "), each, MACHINES[own])
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
