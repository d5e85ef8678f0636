# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the programs of bench/trials/, of one build or of two in turns, and prints what they took, as JSON.

usage: compare.py NOW [BEFORE] [--rounds N] [--seconds S] [--limit S] [--only REGEX]

NOW and BEFORE are folders that bench/trials/ was built in. Called by ci/bench.sh.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

# name, scenario, forms that it is measured in, what is measured beside the rate: "end": how long a whole search takes; "end of both":
# also of the build before; "end alone": that, and no rate; "jobs": two processes beside one; "profile": where the time goes.
TRIALS = [
    ("executor with two workers", "executor/two_workers", ["unmodified"], {"jobs", "profile"}),
    ("thread pool, two threads, two tasks", "pool/two_threads", ["unmodified"], {"end", "jobs"}),
    ("stop callback against one destruction", "stop_callback/against_one_destruction", ["unmodified"], {"end alone"}),
    ("stop callback against two destructions", "stop_callback/against_two_destructions", ["unmodified"], {"end"}),
    ("hazard pointers", "hazard_pointers/read_against_replace", ["unmodified"], set()),
    ("queue with hazard pointers", "hazard_pointers/queue", ["unmodified"], set()),
    ("MPMC ring", "ring/two_and_two", ["unmodified"], {"end", "jobs"}),
    ("Chase-Lev deque", "deque/two_thieves", ["unmodified", "policy", "relacy"], set()),
    ("event, three waiters", "waiters/3", ["relacy"], set()),
    ("event, four waiters", "waiters/4", ["unmodified", "policy", "relacy"], set()),
    ("event, five waiters", "waiters/5", ["unmodified", "policy"], {"end of both", "profile"}),
    # Of this one nearly all executions come late: a rate of the first seconds would say nothing.
    ("event, six interchangeable waiters", "waiters/interchangeable_6", ["policy"], {"end alone"}),
    ("shared event, two waiters", "shared/2", ["relacy"], set()),
    ("shared event, three waiters", "shared/3", ["unmodified", "policy", "relacy"], set()),
]


def command(folder, form, scenario, seconds, jobs, report):
    program = "unmodified" if form == "unmodified" else "over_policy"
    # A template over a policy has another name where it is compiled without one.
    name = "plain/" + scenario if form == "unmodified" and scenario.split("/")[0] in ("deque", "waiters", "shared") else scenario
    return [str(folder / program), "check", "=" + name, "--search", "full", "--engine", "relacy" if form == "relacy" else "graph",
            "--time-budget", str(seconds), "--jobs", str(jobs), "--quiet", "--json", report]


def run(folder, form, scenario, seconds, jobs=1):
    """One search: how far it came, and what it took."""
    with tempfile.TemporaryDirectory() as scratch:
        report = os.path.join(scratch, "report")
        called = command(folder, form, scenario, seconds, jobs, report)
        done = subprocess.run([folder / "measure", *called], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=seconds * 4 + 60, check=False)
        lines = done.stdout.splitlines()
        if done.returncode != 0 or not lines or not os.path.exists(report):
            sys.exit(f"compare.py: {' '.join(called)}: no report\n{done.stdout}{done.stderr}")
        took = json.loads(lines[-1])
        found = json.loads(pathlib.Path(report).read_text())["scenarios"][0]
    if took["exit"] != 0 or not found["verdict"].startswith("held"):
        sys.exit(f"compare.py: {scenario} is to be held, and is {found['verdict']}: {found.get('message')}")
    return {
        "complete": found["complete"], "executions": found["executions"], "blocked": found.get("blocked", 0),
        "processor": took["user"] + took["system"], "wall": took["wall"], "peak_kib": took["peak_kib"],
    }


def middle(runs):
    """Of several runs of one search the medians."""
    result = {key: statistics.median(each[key] for each in runs) for key in ("executions", "blocked", "processor", "wall", "peak_kib")}
    result["executions"] = round(result["executions"])
    result["blocked"] = round(result["blocked"])
    result["complete"] = all(each["complete"] for each in runs)
    result["rate"] = statistics.median(each["executions"] / max(each["processor"], 1e-3) for each in runs)
    result["wall_rate"] = statistics.median(each["executions"] / max(each["wall"], 1e-3) for each in runs)
    return result


def in_turns(folders, rounds, form, scenario, seconds, jobs=1):
    """The same search by each build, one after the other and again: a machine that grows slower does so for both."""
    runs = {label: [] for label in folders}
    for _ in range(rounds):
        for label, folder in folders.items():
            runs[label].append(run(folder, form, scenario, seconds, jobs))
    result = {label: middle(each) for label, each in runs.items()}
    if "before" in runs:
        # Each round has its own ratio: what disturbed both is in neither. Of searches that both ended the whole time counts,
        # of others the time of an execution.
        ended = result["now"]["complete"] and result["before"]["complete"]

        def cost(each):
            return each["processor"] if ended else each["processor"] / max(each["executions"], 1)

        result["ratio"] = statistics.median(cost(now) / cost(before) for now, before in zip(runs["now"], runs["before"]))
    return result


def profile(folder, form, scenario, seconds):
    """In which parts of the program a search spends its time, without what they call: the twelve largest, with their shares."""
    with tempfile.TemporaryDirectory() as scratch:
        data = os.path.join(scratch, "data")
        called = command(folder, form, scenario, seconds, 1, os.path.join(scratch, "report"))
        recorded = subprocess.run(["perf", "record", "-q", "-F", "999", "-o", data, *called], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, check=False, timeout=seconds * 4 + 60)
        if recorded.returncode != 0:
            return []  # a machine may forbid it
        text = subprocess.run(["perf", "report", "-q", "-i", data, "--no-children", "--sort", "symbol", "--stdio"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True, timeout=120).stdout
    shares = {}
    for line in text.splitlines():
        found = re.match(r"\s*([0-9.]+)%\s+\[([.k])\]\s+(\S.*?)(\s\s+.*)?$", line)
        if found:
            part = "the kernel" if found[2] == "k" else part_of(found[3])
            shares[part] = shares.get(part, 0) + float(found[1])
    return sorted(([part, round(share, 1)] for part, share in shares.items()), key=lambda each: -each[1])[:12]


def part_of(symbol):
    """The class or namespace that a function of ordeal is in; of others, a word for all of a kind."""
    name, depth = "", 0
    for character in symbol.replace("(anonymous namespace)::", "").replace("operator()", "call"):
        depth += character in "(<"
        if depth == 0:
            name += character
        depth -= character in ")>"
    name = name.split(" ")[-1]
    if name.startswith(("ordeal::bench::", "ordeal::exhibits::", "ordeal::coro::", "examples::", "std::")):
        return "the code on trial"
    if name.startswith("ordeal::"):
        parts = name.split("::")[1:]
        return "::".join(parts[:-1]) or parts[-1]
    if name.startswith("__tsan_") or name.startswith("__wrap_"):
        return "entries of instrumented code"
    if re.match(r"_*(mem(cpy|move|set|cmp|chr)|str)", name):
        return "memcpy, memset, memcmp"
    if name.startswith("jump_fcontext"):
        return "switches of stacks"
    if re.search(r"malloc|free|calloc|^operator", name):
        return "malloc, free"
    return "other"


def main():
    options = argparse.ArgumentParser()
    options.add_argument("now", type=pathlib.Path)
    options.add_argument("before", type=pathlib.Path, nargs="?")
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--seconds", type=float, default=1.5)
    options.add_argument("--limit", type=float, default=60)
    options.add_argument("--only", default="")
    asked = options.parse_args()
    folders = {"now": asked.now}
    if asked.before:
        folders = {"before": asked.before, "now": asked.now}
    has_perf = shutil.which("perf") is not None
    result = {"rounds": asked.rounds, "seconds": asked.seconds, "limit": asked.limit, "trials": []}
    for name, scenario, forms, more in TRIALS:
        for form in forms:
            if not re.search(asked.only, f"{form}/{name}"):
                continue
            print(f"   {form}: {name}", file=sys.stderr)
            row = {"name": name, "form": form}
            if "end alone" in more:
                row["to_the_end"] = {label: run(folder, form, scenario, asked.limit) for label, folder in folders.items()}
                result["trials"].append(row)
                continue
            # Relacy is another one's: what became of it here is not the question.
            row |= in_turns({"now": asked.now} if form == "relacy" else folders, 1 if form == "relacy" else asked.rounds, form, scenario,
                            asked.seconds)
            if form == "relacy":
                row["graph"] = middle([run(asked.now, "policy", scenario, asked.seconds)])
            if "jobs" in more:
                row["two_jobs"] = in_turns(folders, 2 if asked.rounds > 1 else 1, form, scenario, asked.seconds, 2)
            if "end" in more and not row["now"]["complete"]:
                row["to_the_end"] = {"now": run(asked.now, form, scenario, asked.limit)}
            if "end of both" in more:
                row["to_the_end"] = {label: run(folder, form, scenario, asked.limit) for label, folder in folders.items()}
            if "profile" in more and has_perf:
                row["profile"] = {label: profile(folder, form, scenario, asked.seconds) for label, folder in folders.items()}
            result["trials"].append(row)
    json.dump(result, sys.stdout, indent=1)


main()
