#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the objects in traces that have no name of the source.

Of every scenario the trace of its violation, or of its first outcome, with every step. Exits with 1 if there is one
without a reason below.
"""
import argparse
import collections
import json
import re
import subprocess
import sys

# What says no more than where the bytes are, as a name or as all that there is; and why it is nevertheless right.
no_name = re.compile(r"\bbyte \d+ of\b|^a local of\b")
no_object = re.compile(no_name.pattern + r"|^a local variable of\b|^memory$|^(atomic|mutex|condition variable) \d+$")
reasons = {
    r"^byte \d+ of the frame of ": "what the compiler keeps in a coroutine's frame, awaiters and where it goes on, has no "
    "name in the source, and clang describes no frame of optimised code",
    r"^a local of .*\(\)": "a temporary, or a variable that debug information does not have there",
}
# Functions of a scenario that is made at run time, and calls of a client, are in tables of their own.
own_headers = "ordeal/scenario/"


def report(program, scenario):
    for more in (["--show", "1"], []):  # of a scenario without an outcome there is none to show
        run = subprocess.run(
            [program, "check", "=" + scenario, "--json", "-", "--quiet", "--time-budget", "3", *more],
            capture_output=True,
            text=True,
        )
        if run.stdout:
            return json.loads(run.stdout)
    sys.exit(f"{program}: {scenario}: {run.stderr}")


def traces(document):
    for scenario in document["scenarios"]:
        yield scenario.get("trace") or []
        yield (scenario.get("example") or {}).get("trace") or []


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--also", metavar="REGEX", help="a name that counts as none, to see that one is found")
    parser.add_argument("program")
    parser.add_argument("patterns", nargs="*", help="of its scenarios; none: all")
    given = parser.parse_args()
    program = given.program
    command = [program, "list", *given.patterns, "--json", "-"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    names = [each["name"] for each in json.loads(listed.stdout)["scenarios"]]
    found = collections.Counter()
    steps = 0
    first = {}
    for name in names:
        for trace in traces(report(program, name)):
            for step in trace:
                shown = step["name"] or step["object"]
                if not shown or (shown == "memory" and own_headers in (step["file"] or "")):
                    continue
                steps += 1
                also = given.also and re.search(given.also, shown)
                if not also and not (no_name if step["name"] else no_object).search(shown):
                    continue
                kind = re.sub(r"\d+", "N", shown), step["operation"]
                if any(re.search(each, shown) for each in reasons):
                    continue
                found[kind] += 1
                first.setdefault(kind, f"{name}, step {step['step']}, {step['file']}:{step['line']}")
    print(f"{program}: {steps} steps with an object in {len(names)} scenarios, {sum(found.values())} without its name")
    for kind, count in found.most_common():
        print(f"  {count} times {kind[1]} {kind[0]}: {first[kind]}")
    if not steps:
        sys.exit("no steps: nothing was looked at")
    sys.exit(1 if found else 0)


main()
