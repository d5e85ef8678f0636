# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""By how many executions random searches find bugs that are known, as JSON.

usage: bugs.py PROGRAM [--executions N] [--seeds N] [PATTERN...]

PROGRAM is that of bench/bugs/, in which every scenario is violated. Called by ci/bench.sh.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

SEARCHES = ["random", "pct", "pos", "surw"]


def found(program, search, executions, seed, patterns, report):
    """For each bug the executions after which it was found, or null."""
    called = [program, "check", *patterns, "--search", f"{search}={executions}", "--seed", str(seed), "--quiet", "--time-budget", "60", "--json", report]
    done = subprocess.run(called, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"bugs.py: {' '.join(map(str, called))}\n{done.stderr}")
    with open(report, encoding="utf-8") as file:
        scenarios = json.load(file)["scenarios"]
    return {each["name"]: each["executions"] if each["verdict"] == "violated" else None for each in scenarios}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--executions", type=int, default=2000)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("patterns", nargs="*")
    given = parser.parse_args()
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        for search in SEARCHES:
            for seed in range(1, given.seeds + 1):
                for bug, after in found(given.program, search, given.executions, seed, given.patterns, report).items():
                    rows.setdefault(bug, {}).setdefault(search, []).append(after)
    json.dump({"executions": given.executions, "seeds": given.seeds, "searches": SEARCHES,
               "rows": [{"bug": bug, "found": each} for bug, each in sorted(rows.items())]}, sys.stdout, indent=1)


main()
