# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks what each check is there for, and says whether the check turned red: see ci/selftest.sh, which runs this.

usage: selftest.py [apply|quick|PART|TEXT]...

A part is a file ci/selftest/PART.toml, and a break an edit in it, as ci/edit_source.py says; with `edits = []` it is in the
command alone. How a break is looked for, of the break or else of its part:

    check      what is to turn red, for people
    tests      names of regular expressions in the table `tests` of the part: of these tests one must fail
    targets    what to build for them
    command    for the shell, in place of tests: it must fail
    evidence   a regular expression that a line of its output must have, so that nothing else failed
    setup      for the shell, before each command of the part
    runs       a list of tables of these, where several checks are to turn red

What is checked must be green first: all tests of the chosen breaks, and each command in the list `green` of the part.
"""
import filecmp
import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from edit_source import EditError, edited_files, read_edits, try_each

ROOT = pathlib.Path.cwd()
COPY = ROOT / "build/selftest/tree"
LOGS = ROOT / "out/selftest"
JOBS = os.environ.get("ORDEAL_JOBS", "1")


class Part:
    def __init__(self, path):
        self.name = path.stem
        try:
            self.read = read_edits(path)
        except EditError as error:
            raise EditError(f"{path.relative_to(ROOT)}: {error}") from None
        self.breaks = self.read["edit"]
        self.tests = self.read.get("tests", {})

    def of(self, key, *tables):
        """Of the first that has it."""
        return next((table[key] for table in (*tables, self.read) if key in table), None)

    def runs(self, name):
        """What a break is looked for with: check, command, evidence."""
        entry = self.breaks[name]
        for run in entry.get("runs", [entry]):
            if "tests" in entry:
                targets = self.of("targets", entry)
                command = targets and tests_command(targets, [self.tests[each] for each in entry["tests"]])
                evidence = "tests failed out of"
            else:
                command, evidence = self.of("command", run, entry), self.of("evidence", run, entry)
            yield self.of("check", run, entry), command, evidence

    def green(self, chosen):
        for run in self.read.get("green", []):
            yield self.of("check", run), self.of("command", run), run.get("evidence", "")
        of_tests = [self.breaks[name] for name in chosen if "tests" in self.breaks[name]]
        if of_tests:
            targets = unique(self.of("targets", entry) for entry in of_tests)
            tests = unique(self.tests[each] for entry in of_tests for each in entry["tests"])
            yield self.of("check"), tests_command(" ".join(targets), tests), "100% tests passed"

    def wrong(self):
        """What is wrong in the file, before anything is run."""
        yield from (error for _, error in try_each(self.breaks, ROOT))
        for name, entry in self.breaks.items():
            unknown = [each for each in entry.get("tests", []) if each not in self.tests]
            if unknown:
                yield f"{name}: has no tests of this name: {', '.join(unknown)}"
            elif None in (each for run in self.runs(name) for each in run):
                yield f"{name}: lacks `check`, or `tests` with `targets`, or else `command` with `evidence`"
            else:
                yield from (f"{name}: its targets have no test of these: {each}" for each in entry.get("tests", [])
                            if not has_test(self.of("targets", entry), self.tests[each]))
        used = {each for entry in self.breaks.values() for each in entry.get("tests", [])}
        yield from (f"no break is for these tests: {each}" for each in self.tests if each not in used)


@functools.cache
def names_of_tests():
    """By target, what ctest calls its tests: its label before each title in the folder of its CMakeLists.txt, and below."""
    result = {}
    lists = [each for folder in ("model_tests", "tests", "tsan_tests", "stress") for each in (ROOT / folder).rglob("CMakeLists.txt")]
    for each in lists:
        below = [other.parent for other in lists if each.parent in other.parent.parents]
        sources = [source for source in each.parent.rglob("*_tests.cpp") if not any(other in source.parents for other in below)]
        titles = [title for source in sources
                  for title in re.findall(r'TEST_CASE\(\s*"((?:[^"\\]|\\.)*)"', source.read_text())]
        for target, label in re.findall(r"ordeal_add_own_tests\((\w+) LABEL (\w+)", each.read_text()):
            result[target] = [f"{label}/{title}" for title in titles]
    return result


def has_test(targets, regular_expression):
    """Whether some test of these targets has such a name. Tests that CMake adds, with a small letter first, are not looked for."""
    names = [name for target in targets.split() for name in names_of_tests().get(target, [])]
    return bool(re.search(r"^\^\w+/[a-z]", regular_expression)) or any(re.search(regular_expression, name) for name in names)


def unique(items):
    return list(dict.fromkeys(items))


def tests_command(targets, tests):
    return (f"cmake --build build/release --parallel {JOBS} --target {targets} &&\n"
            f"ctest --test-dir build/release --no-tests=error --parallel {JOBS} --tests-regex {shlex.quote('|'.join(tests))}")


def say(text):
    print(f"== {text}", file=sys.stderr, flush=True)


def git_files(folder, *options):
    listed = subprocess.run(["git", "-C", folder, "ls-files", "-z", *options], check=True, capture_output=True, text=True).stdout
    return [name for name in listed.split("\0") if name]


def copy_file(name):
    (COPY / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / name, COPY / name)


def refresh():
    """Makes the copy, a repository of its own: git must not see the one around it. What has not changed keeps its time, for the
    build."""
    COPY.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "-q", COPY], check=True)
    for name in git_files(ROOT, "--cached", "--others", "--exclude-standard"):
        there = COPY / name
        if (ROOT / name).is_file() and not (there.is_file() and filecmp.cmp(ROOT / name, there, shallow=False)):
            copy_file(name)
    for name in git_files(COPY, "--others", "--exclude-standard"):
        if not (ROOT / name).is_file():
            (COPY / name).unlink()
    shutil.rmtree(COPY / "out", ignore_errors=True)
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir(parents=True)


class Selftest:
    def __init__(self):
        self.rows = []
        self.bad = 0

    def row(self, name, check, result, good):
        say(f"{name}: {result}")
        self.rows.append(f"{name:<44} {check:<26} {result}")
        self.bad += not good

    def run(self, part, name, check, command, evidence):
        """Whether the command succeeded, whether its output has the evidence, and the log."""
        say(f"{part.name}: {name}: {check}")
        path = LOGS / f"{len(self.rows)}.log"
        script = part.read.get("setup", "") + "\n" + command
        with path.open("w", encoding="utf-8") as log:
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=COPY, env={**os.environ, "ORDEAL_JOBS": JOBS},
                                  stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        found = re.search(evidence, path.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
        return done.returncode == 0, bool(found), path.relative_to(ROOT)

    def green(self, part, check, command, evidence):
        """A check that is always red would prove nothing."""
        succeeded, found, log = self.run(part, "as it is", check, command, evidence)
        good = succeeded and found
        self.row("(as it is)", check, "green" if good else f"NOT GREEN, see {log}", good)

    def red(self, part, name):
        changed = edited_files(name, part.breaks[name], ROOT)
        for file, text in changed.items():
            (COPY / file).write_text(text, encoding="utf-8")
        for check, command, evidence in part.runs(name):
            succeeded, found, log = self.run(part, name, check, command, evidence)
            result = "NO" if succeeded else "yes" if found else f"NO, something else failed: see {log}"
            self.row(name, check, result, result == "yes")
        for file in changed:
            copy_file(file)


def choose(parts, wanted):
    """Parts, each with the names of its breaks that are wanted: those of a part, or with a text in their name."""
    names = [part.name for part in parts]
    for each in wanted:
        if each not in names and not any(each in name for part in parts for name in part.breaks):
            raise EditError(f"no part, and no break with this in its name: {each}")
    for part in parts:
        chosen = [name for name in part.breaks if not wanted or part.name in wanted or any(each in name for each in wanted)]
        if chosen:
            yield part, chosen


def main(arguments):
    try:
        parts = [Part(path) for path in sorted((ROOT / "ci/selftest").glob("*.toml"))]
        wrong = [f"{part.name}: {error}" for part in parts for error in part.wrong()]
        if arguments == ["quick"]:
            arguments, parts = [], [part for part in parts if part.name != "thread_sanitizer"]
        chosen = list(choose(parts, [] if arguments == ["apply"] else arguments))
    except EditError as error:
        sys.exit(f"selftest.py: {error}")
    if wrong:
        sys.exit("\n".join(f"ci/selftest: {each}" for each in wrong))
    if arguments == ["apply"]:
        print(f"{sum(len(part.breaks) for part in parts)} breaks apply")
        return 0
    say("copy")
    refresh()
    subprocess.run(["bash", "-c", "source ci/lib.sh; configure release"], cwd=COPY, check=True)
    test = Selftest()
    for part, names in chosen:
        for check, command, evidence in part.green(names):
            test.green(part, check, command, evidence)
        for name in names:
            test.red(part, name)
    print("\n".join([f"{'break':<44} {'check':<26} turned red", *test.rows]))
    print(f"{len(test.rows) - test.bad} of {len(test.rows)} as it should be")
    return 1 if test.bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
