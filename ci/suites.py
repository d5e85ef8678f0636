# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints reference-data/suites.md from what ci/suites.sh left.

usage: suites.py RESULTS JUDGED

JUDGED lists what people found out about tests of which the report alone does not say enough: {"tests": "PROGRAM/TEST", a glob,
"verdict": what it is about, "judged": a word for a violation, "why": a sentence}. A violation that nobody has judged is printed as that.
"""
import datetime
import fnmatch
import json
import pathlib
import platform
import re
import sys

HEAD = """# The tests of other people's packages

Written by `ci/suites.sh`: test programs of Debian's source packages, unchanged, as [`ordeal_add_tests`](../docs/how-to/existing-tests.md)
compiles them, with `-O1`, and beside that with ThreadSanitizer (`-fsanitize=thread -O1`). The programs are listed in
[corpus/suites/CMakeLists.txt](../corpus/suites/CMakeLists.txt). Under ordeal each test has `--search pos=100 --seed 1 --time-budget 5`: 100 random
executions, or as many as 5 s have room for; all else is the default of existing tests. ThreadSanitizer has one run of the whole program, of at
most 120 s.

Each program runs pinned to one processor, under ordeal and then with ThreadSanitizer. {machine}, shared with other work, {date}: the times are no
benchmark.

| column | means |
|---|---|
| tests | those that the program lists |
| threads | the most that a test had at a time, `main` included, at most 31 |
| passed | no violation in at least one execution that came to its end |
| violated | each is [judged below](#violations) |
| not run | neither: [why](#not-run) |
| reports | of ThreadSanitizer; *failed*: the program's exit code |

"""


def escaped(text):
    return re.sub(r"([|<*_\[\]])", r"\\\1", " ".join(text.split()))


def first_part(message, length=160):
    text = message if len(message) <= length else message[:length].rsplit(" ", 1)[0] + " ..."
    return escaped(text)


def outcome(scenario):
    """The column that a test is counted in."""
    if scenario["verdict"] == "violated":
        return "violated"
    return "not run" if scenario["verdict"] == "inconclusive" or not scenario["executions"] else "passed"


def why_not(scenario):
    """Without the place in the source, so that equal reasons are equal."""
    message = scenario["message"] or "no execution came to its end within 5 s"
    return first_part(re.sub(r" \(/[^)]*:\d+\)", "", message))


def judgment(judged, program, scenario):
    name = f"{program}/{scenario['name']}"
    about = scenario["kind"] or scenario["verdict"]
    for entry in judged:
        if fnmatch.fnmatchcase(name, entry["tests"]) and entry.get("verdict", about) == about:
            entry["used"] = True
            return entry
    return None


def tsan_words(run):
    words = str(run["reports"])
    if run["code"] in (124, 137):
        return words + ", not done in 120 s"
    if run["code"] not in (0, 66):
        return words + f", failed ({run['code']})"
    return words


def grouped(rows):
    """The tests of equal columns beside them, in one row."""
    groups = {}
    for test, *rest in rows:
        groups.setdefault(tuple(rest), []).append(test)
    for rest, tests in groups.items():
        named = ", ".join(f"`{test}`" for test in tests[:3]) + (f" and {len(tests) - 3} more" if len(tests) > 3 else "")
        yield named, *rest


def main():
    results, judged = pathlib.Path(sys.argv[1]), json.loads(pathlib.Path(sys.argv[2]).read_text(encoding="utf-8"))
    packages, violations, not_run = {}, [], []
    columns = ("passed", "violated", "not run")
    totals = dict.fromkeys(("programs", "tests", "executions", *columns), 0)
    for path in sorted(results.glob("*.tsan.json")):
        program = path.name.removesuffix(".tsan.json")
        run = json.loads(path.read_text(encoding="utf-8"))
        report = results / f"{program}.model.json"
        scenarios = json.loads(report.read_text(encoding="utf-8"))["scenarios"] if report.exists() and report.stat().st_size else []
        seconds = sum(each["seconds"] for each in scenarios)
        counts = dict.fromkeys(columns, 0)
        threads = max((each.get("thread_count", 1) for each in scenarios), default=1)
        for each in scenarios:
            counts[outcome(each)] += 1
            found = judgment(judged, program, each)
            test = each["name"] if each["name"].startswith(program) else f"{program}: {each['name']}"
            if each["verdict"] == "violated":
                strongest = (each.get("exists_under") or {}).get("strongest")
                violations.append((test, each["kind"], first_part(each["message"]), strongest or "",
                                   f"**{found['judged']}**: {found['why']}" if found else "**not judged**"))
            elif outcome(each) == "not run":
                not_run.append((test, found["why"] if found else why_not(each)))
        totals["programs"] += 1
        totals["tests"] += len(scenarios)
        totals["executions"] += sum(each["executions"] for each in scenarios)
        for column in columns:
            totals[column] += counts[column]
        cells = [f"`{program}`", run["framework"], len(scenarios), threads, *(counts[column] or "" for column in columns),
                 sum(each["executions"] for each in scenarios), f"{seconds:.1f}",
                 f"{run['seconds']:.1f}", tsan_words(run)]
        packages.setdefault((run["package"], run["version"]), []).append("| " + " | ".join(map(str, cells)) + " |")
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8") if line.startswith("model name")), "")
    print(HEAD.format(machine=f"{model or platform.machine()}", date=datetime.date.today()))
    print(f"Programs: {totals['programs']} of {len(packages)} packages. Tests: {totals['tests']}; passed {totals['passed']}, violated "
          f"{totals['violated']}, not run {totals['not run']}. Executions: {totals['executions']}.\n")
    print("Packages of Debian 12 with tests that are not here: Catch2 3 is not in Debian 12.\n")
    for (package, version), rows in packages.items():
        print(f"## {package}\n\nVersion {version}.\n")
        print("| program | framework | tests | threads | passed | violated | not run | executions | ordeal, s | ThreadSanitizer, s | reports |")
        print("|---|---|---|---|---|---|---|---|---|---|---|")
        print("\n".join(rows) + "\n")
    print("## Violations\n")
    print("| test | kind | message | strongest model | judged |\n|---|---|---|---|---|")
    for row in grouped(violations):
        print("| " + " | ".join(row) + " |")
    print("\n## Not run\n\n| test | why |\n|---|---|")
    for row in grouped(not_run):
        print("| " + " | ".join(row) + " |")
    for entry in judged:
        if not entry.get("used"):
            print(f"suites.py: no test is {entry['tests']}", file=sys.stderr)


if __name__ == "__main__":
    main()
