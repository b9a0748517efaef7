"""A kernel of Jupyter, asked by its own client: what python_bench.py measures Perigee beside.

    python3 tests/bench/python_peer.py CALLS

Prints, as JSON, the milliseconds of a call (p10), of its processor time, and of the start with the first call.
"""

import json
import pathlib
import statistics
import sys
import time

import ipykernel            # noqa: F401  (a kernel without it would fail to start)
import jupyter_client.manager

CODE = "def generated_function_name(a, b=2): return a + b\ngenerated_function_name(1)"


def run(client):
    """Until the kernel has answered and is idle."""
    reply = client.execute_interactive(CODE, store_history=False, output_hook=lambda _message: None)
    assert reply["content"]["status"] == "ok", reply


def worked(pid):
    tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text(encoding="ascii").split()[0]) for task in tasks) / 1e6


def main():
    begun = time.perf_counter()
    manager, client = jupyter_client.manager.start_new_kernel(kernel_name="python3")
    run(client)
    start = time.perf_counter() - begun
    pid = manager.provisioner.pid if hasattr(manager.provisioner, "pid") else manager.provisioner.process.pid
    took, before = [], worked(pid)
    for _ in range(int(sys.argv[1])):
        begun = time.perf_counter()
        run(client)
        took.append(time.perf_counter() - begun)
    used = (worked(pid) - before) / len(took)
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    print(json.dumps({"ms": 1e3 * statistics.quantiles(took, n=10)[0], "cpu_ms": used, "start_ms": 1e3 * start}))


if __name__ == "__main__":
    main()
