# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the time of one execution grows with its length, as JSON: four kinds of operations, each by two threads.

usage: growth.py ORDEAL [--rounds N] [--sizes N,...]

ORDEAL is the program, which compiles each kind with `ordeal try`. Called by ci/bench.sh.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

# What a thread does: so many operations in a turn. Freeing is an operation as allocating is, and so is unlocking.
KINDS = [
    ("store and load", "x.store(i, std::memory_order_release); (void)y.load(std::memory_order_acquire)", 2),
    ("store and load, seq_cst", "x = i; (void)y.load()", 2),
    ("fetch_add of a shared counter, relaxed", "x.fetch_add(1, std::memory_order_relaxed)", 1),
    ("fetch_add of a shared counter, acq_rel", "x.fetch_add(1, std::memory_order_acq_rel)", 1),
    ("mutex, a plain increment inside", "mutex.lock(); ++plain; mutex.unlock()", 2),
    ("allocation and free", "std::make_unique<int>(i)", 2),
]

PROGRAM = """
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
static std::atomic<int> first{0}, second{0};
static std::mutex mutex;
static int plain = 0;
static void work(std::atomic<int>& x, std::atomic<int>& y, int turns) {
    (void)x, (void)y, (void)plain;
    for (int i = 0; i < turns; ++i) { %s; }
}
void trial() {
    std::thread other(work, std::ref(first), std::ref(%s), TURNS);
    work(%s, std::ref(first), TURNS);
    other.join();
}
"""


def measure(ordeal, source, turns, operations):
    """One random execution: its seconds, by the report, and the most memory that a process of it had, in MiB."""
    report = source.with_suffix(".json")
    called = [ordeal, "try", source, "check", "--search", "random=1", "--length", str(3 * operations + 1000), "--time-budget", "600", "--quiet",
              "--json", report, "--", "-O2", f"-DTURNS={turns}"]
    with open(source.with_suffix(".log"), "w+") as log:
        child = subprocess.Popen(called, stdout=log, stderr=subprocess.STDOUT)
        _, status, used = os.wait4(child.pid, 0)
        log.seek(0)
        said = log.read()
    if status != 0:
        sys.exit(f"growth.py: {' '.join(map(str, called))}\n{said}")
    found = json.loads(report.read_text())["scenarios"][0]
    if found["executions"] != 1 or any("was not followed further" in limit for limit in found["limits"]):
        sys.exit(f"growth.py: {source}: not one whole execution\n{said}")
    return found["seconds"], used.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ordeal")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", default="2000,20000,200000,2000000")
    how = parser.parse_args()
    sizes = [int(size) for size in how.sizes.split(",")]
    for launcher in ("CMAKE_CXX_COMPILER_LAUNCHER", "CMAKE_C_COMPILER_LAUNCHER"):
        os.environ.pop(launcher, None)
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_CACHE_HOME"] = scratch
        for number, (name, turn, per_turn) in enumerate(KINDS):
            source = pathlib.Path(scratch) / f"growth_{number}.cpp"
            source.write_text(PROGRAM % (turn, "second", "second" if "y." in turn else "first"))
            row = {"name": name, "seconds": [], "mib": []}
            for size in sizes:
                turns = size // per_turn // 2
                measure(how.ordeal, source, turns, size)  # compiles
                found = [measure(how.ordeal, source, turns, size) for _ in range(how.rounds)]
                row["seconds"].append(statistics.median(seconds for seconds, _ in found))
                row["mib"].append(statistics.median(mib for _, mib in found))
            rows.append(row)
    print(json.dumps({"sizes": sizes, "rounds": how.rounds, "rows": rows}))


main()
