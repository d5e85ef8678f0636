# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes reference-data/performance.md of the measurements that ci/bench.sh left.

usage: page.py MEASUREMENTS            prints the page
       page.py MEASUREMENTS --tables   prints its tables alone
       page.py MEASUREMENTS PAGE       writes the page
       page.py --check MEASUREMENTS PAGE   fails, with the first difference, when the page is not made of them
"""
import json
import math
import pathlib
import sys

HEAD = """\
# Performance

This page is generated: `ci/bench.sh --write` measures and writes `reference-data/performance.json`, of which the page is made. A test holds that
it was made of that file, and no test looks at a time.

"""

MEASURED = """
Each trial is a scenario in `bench/trials/`, larger than those of tests. It is searched with `check --search full --jobs 1` in a
program that is linked with the build that is measured. *Unmodified* code has `std::atomic`, `std::thread` and the like and is compiled by
`ordeal_add_trial`; code over the *policy* names its atomics itself.

| trial | what most of its time goes to |
|---|---|
| executor, thread pool | set-up and end, which are the same in each execution: threads, queues of `std::function`, futures; locks |
| stop callback | the lock in `std::stop_source`, and memory |
| hazard pointers | memory that is freed and comes back; fences |
| ring, deque, events | atomic operations: the search itself |

"""

CAVEATS = """
## What the numbers do not say

- *Other machines.* Times are those of one machine, which other programs use, too. The ratios of builds are medians of rounds in which one
  build ran after the other; differences of a fifth are noise when the load above is greater than the number of processors.
- *Searches that do not end.* Executions a second are those of the first seconds. Later ones may take longer, and the number of
  executions that a whole search has is unknown. A build that needs fewer executions for the same verdict is faster than its rate says.
- *Blocked executions*, which lead to no outcome, are part of the time and are not counted.
- *Relacy* explores other executions: each interleaving, with one older value at most for each load. Its executions are shorter and many
  times as many, so rates of the two engines cannot be compared; times to a verdict can.
- *Your code.* Most of the time of a search is how many executions there are, and that is a matter of the scenario:
  [when it does not finish](../docs/how-to/when-it-does-not-finish.md).
- *Memory* is the peak of the largest process, the program itself included. A search with `--jobs 2` has two.
- *Primitives under contention*, and on other processors than this one.

## How to measure

```sh
ci/bench.sh                    # this build: out/bench.json, and the tables of this page
ci/bench.sh --against DIR      # with another build beside it, in turns, and the ratios
ci/bench.sh --write            # this page anew; together with --against, if there is to be a ratio
```

`DIR` has the `ordealConfig.cmake` of the other build: it is a build folder, or `lib/cmake/ordeal` of an installed one. For a commit of
before:

```sh
git worktree add ../before COMMIT
cd ../before && cmake --preset release && cmake --build --preset release
cd - && ci/bench.sh --against ../before/build/release
```

The trials are built twice from the sources of this tree, once with each. A build folder that was moved names files of elsewhere, which
`ci/bench.sh` refuses; an installed build may be anywhere.
"""


def count(value):
    return f"{round(value):,}"


def significant(value, digits=2):
    """Three digits at most are worth reading."""
    if value >= 100:
        return count(value)
    return f"{value:.{digits}g}" if value else "0"


def seconds(value):
    if value < 0.1:
        return f"{value * 1000:.0f} ms"
    return f"{value:.2f} s" if value < 1 else f"{value:.1f} s"


def nanoseconds(value):
    if value < 1000:
        return f"{value:.3g} ns"
    return f"{value / 1000:.3g} us" if value < 1e6 else f"{value / 1e6:.3g} ms"


def mebibytes(kib):
    return f"{kib / 1024:.1f} MiB"


def table(columns, rows):
    if not rows:
        return ""
    lines = ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def pace(side):
    """The executions a second of processor time; of a search that ended the time, too."""
    text = f"{count(side['rate'])}/s"
    return f"{text}; all {count(side['executions'])} in {seconds(side['processor'])}" if side["complete"] else text


def ratio(value):
    return f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def searches(trials, compared):
    rows = []
    for each in trials:
        if each["form"] == "relacy" or "now" not in each:
            continue
        row = [each["name"], each["form"]]
        if compared:
            both = each["before"]["complete"] == each["now"]["complete"]
            row += [pace(each["before"]), pace(each["now"]), ratio(each["ratio"]) if both else "",
                    mebibytes(each["before"]["peak_kib"]), mebibytes(each["now"]["peak_kib"])]
        else:
            row += [pace(each["now"]), mebibytes(each["now"]["peak_kib"])]
        rows.append(row)
    columns = ["trial", "code"] + (["before", "now", "time, now / before", "memory before", "memory now"] if compared else ["executions", "memory"])
    return table(columns, rows)


def whole(side):
    """Executions and processor time: of a busy machine a search gets less than its limit on the clock."""
    return f"{'all' if side['complete'] else 'not all:'} {count(side['executions'])} in {seconds(side['processor'])}"


def to_the_end(measured):
    rows = []
    for each in measured["trials"]:
        if "to_the_end" not in each:
            continue
        end = each["to_the_end"]
        row = [each["name"], each["form"]]
        if measured.get("before"):
            now = end["now"]
            if "before" in end:
                row.append(whole(end["before"]))
            elif now["complete"] and not each["before"]["complete"]:
                row.append(f"about {seconds(now['executions'] / each['before']['rate'])} for as many, by its rate")
            else:
                row.append("")
        rows.append(row + [whole(end["now"]), mebibytes(end["now"]["peak_kib"])])
    return table(["trial", "code"] + (["before"] if measured.get("before") else []) + ["now", "memory"], rows)


def unmodified_beside_policy(trials):
    by_form = {(each["name"], each["form"]): each for each in trials if "now" in each}
    rows = []
    for (name, form), each in by_form.items():
        other = by_form.get((name, "policy"))
        if form == "unmodified" and other:
            cost = [side["processor"] / side["executions"] for side in (each["now"], other["now"])]
            row = [name, pace(other["now"]), pace(each["now"]), ratio(cost[0] / cost[1])]
            rows.append(row)
    return table(["trial", "policy", "unmodified", "time, unmodified / policy"], rows)


def beside_relacy(measured):
    rows = []
    for each in measured["trials"]:
        if each["form"] == "relacy":
            rows.append([each["name"], whole(each["graph"]), whole(each["now"]),
                         mebibytes(each["graph"]["peak_kib"]), mebibytes(each["now"]["peak_kib"])])
    return table(["trial", "graph", "Relacy", "memory, graph", "memory, Relacy"], rows)


def two_processes(measured):
    rows = []
    for each in measured["trials"]:
        if "two_jobs" not in each:
            continue
        row = [each["name"], each["form"]]
        for label in ("before", "now") if measured.get("before") else ("now",):
            one, two = each[label], each["two_jobs"][label]
            row += [ratio(two["wall_rate"] / one["wall_rate"]), ratio(one["rate"] / two["rate"])]
        rows.append(row)
    both = ["before: speed", "before: processor time", "now: speed", "now: processor time"]
    return table(["trial", "code"] + (both if measured.get("before") else ["speed", "processor time"]), rows)


NAMES = {
    "event_co_await": "event, `co_await`", "event_sync_wait": "event, `sync_wait`", "binary_semaphore": "`std::binary_semaphore`",
    "mutex_and_condition_variable": "`std::mutex` with `std::condition_variable`", "promise": "`std::promise`, a new one each time",
}


def primitives(found):
    rows = []
    for key, name in NAMES.items():
        one, both = found.get("one_thread/" + key), found.get("there_and_back/" + key)
        if one or both:
            rows.append([name, nanoseconds(one["cpu"]) if one else "", nanoseconds(both["cpu"]) if both else "",
                         nanoseconds(both["real"]) if both else ""])
    return table(["signal", "one thread: signal and wait", "there and back: processor time", "there and back: time"], rows)


def operations(found):
    rows = []
    for key, each in found.items():
        group, _, operation = key.partition("/")
        plain = {"set_and_reset": "exchange_and_compare_exchange", "co_await_ready": "acquire_load"}.get(operation, operation)
        beside = found.get("plain/" + plain)
        if group in ("event", "task") and beside:
            rows.append([f"{group}: {operation.replace('_', ' ')}", nanoseconds(each["cpu"]), nanoseconds(beside["cpu"]), plain.replace("_", " ")])
    return table(["operation", "time", "plain operations", "which are"], rows)


def one_run(found):
    names = {"one_run/switch_and_back": "one switch to a fiber and back"}
    for which, what in (("", "policy"), ("plain/", "unmodified")):
        names[f"one_run/{which}waiters:4"] = f"an execution of the event with four waiters, {what}"
        for accesses in (10, 100, 1000):
            names[f"one_run/{which}accesses:{accesses}"] = f"an execution with {accesses:,} plain accesses, {what}"
    return table(["run again", "time"], [[name, nanoseconds(found[key]["cpu"])] for key, name in names.items() if key in found])


def growth(found):
    """Seconds of one execution by its length, the ratios of neighbours, and the memory of the longest."""
    sizes = found.get("sizes", [])
    rows = []
    for each in found.get("rows", []):
        times = each["seconds"]
        row = [each["name"]]
        for i, took in enumerate(times):
            row.append(seconds(took) + (f" (x {significant(took / times[i - 1])})" if i else ""))
        rows.append(row + [f"{significant(times[-1] / sizes[-1] * 1e6)} us", f"{each['mib'][-1]:.0f} MiB"])
    return table(["operations"] + [count(size) for size in sizes] + ["of an operation, at last", "memory, at last"], rows)


def bugs(found):
    """Geometric means over the seeds; a seed by which a bug was not found counts as twice the limit."""
    most, searches_made = found.get("executions", 0), found.get("searches", [])

    def mean(values):
        return math.exp(sum(math.log(value) for value in values) / len(values))

    means = {search: [] for search in searches_made}
    rows = []
    for each in found.get("rows", []):
        row = [f"`{each['bug']}`"]
        for search in searches_made:
            after = each["found"][search]
            means[search].append(mean([2 * most if value is None else value for value in after]))
            missed = sum(value is None for value in after)
            row.append(significant(means[search][-1]) + (f" (not by {missed} of {len(after)})" if missed else ""))
        rows.append(row)
    if rows:
        rows.append(["all of them"] + [f"**{significant(mean(means[search]))}**" for search in searches_made])
    return table(["bug"] + [f"`{search}`" for search in searches_made], rows)


def profiles(measured):
    result = ""
    for each in measured["trials"]:
        found = each.get("profile") or {}
        if not found.get("now"):
            continue
        labels = [label for label in ("before", "now") if found.get(label)]
        rows = []
        for i in range(max(len(found[label]) for label in labels)):
            row = []
            for label in labels:
                part, share = found[label][i] if i < len(found[label]) else ("", "")
                row += [f"`{part}`" if "::" in part else part, f"{share} %" if part else ""]
            rows.append(row)
        columns = ["before", "share", "now", "share"] if len(labels) == 2 else ["part", "share"]
        result += f"\n{each['name']}, {each['form']}:\n\n" + table(columns, rows)
    return result


def sections(measured):
    """Heading, words before the table, table."""
    compared = bool(measured.get("before"))
    yield ("Searches", f"Executions in a second of processor time, user's and system's, with a limit of {significant(measured['seconds'])} s on the "
           f"clock; and the processor time of searches that ended.\nMedians of {measured['rounds']} rounds" +
           (", in each of which the builds take turns. The ratio is that of the time of the whole search where both ended it,\nof the "
            "time of an execution where none did: 0.1 is ten times as fast. Where one of them did, see below.\n" if compared else ".\n"), searches(measured["trials"], compared))
    yield ("To the end", f"One run each, with a limit of {significant(measured['limit'])} s on the clock: executions and processor time.\n"
           "Where interchangeable threads are found now, a loop has fewer iterations, or redundant retries and permanently blocked threads are not followed, the build before had more\n"
           "executions than now.\n", to_the_end(measured))
    yield ("Unmodified beside the policy", "The same source, compiled in both ways. This build.\n", unmodified_beside_policy(measured["trials"]))
    yield ("Beside Relacy", f"The same program, engine `graph` and engine `relacy`, {significant(measured['seconds'])} s on the clock each: executions and processor "
           "time. This build.\n",
           beside_relacy(measured))
    yield ("Two processes", "`--jobs 2` divided by `--jobs 1`. *Speed*: executions in a time on the clock; 2 would be all that two free processors can "
           "give.\n*Processor time*: of an execution; 1 means that nothing is lost.\n", two_processes(measured))
    found = measured.get("benchmarks", {})
    yield ("Primitives beside the standard library", "Real threads, no engine. In *one thread* a signal is given and then waited for. *There and back* is\n"
           "between two threads, of which one always waits; with `co_await` between a caller and a coroutine, which needs no second thread. Its\n"
           "time on the clock is mostly that of the system's scheduler. Atomic waits, which `sync_wait` and the semaphore use, spin and yield in\n"
           "libstdc++ before they sleep: on a busy machine each yield may cost a time slice.\n", primitives(found))
    yield ("Primitives beside plain operations", "One thread, no contention: what an operation cannot do without, by itself.\n", operations(found))
    yield ("One execution", "What a search does for each execution, when it takes no snapshot.\n", one_run(found))
    grown = measured.get("growth", {})
    yield ("Growth with the length of an execution", "One random execution, `--search random=1 --length N`, of unmodified code in two threads: seconds on the clock, and how many times\n"
           f"those of the length before. {'One run each' if grown.get('rounds') == 1 else 'Medians of ' + str(grown.get('rounds')) + ' runs'}; {grown.get('date')}, {grown.get('system')}, load {grown.get('load')} when it began.\n",
           growth(grown))
    known = measured.get("bugs", {})
    yield ("Bugs found", "By how many executions a random search finds a bug that is known: those of `bench/bugs/`, in the shapes of SCTBench (`sct/`), of memory\n"
           "orders (`weak/`), and late in executions of hundreds of operations (`long/`). Geometric means of "
           f"{known.get('seeds')} seeds, {count(known.get('executions', 0))} executions at most; a seed\nby which it was not found counts as twice as many. "
           f"{known.get('date')}, {known.get('now')}.\n", bugs(known))
    yield ("Where the time goes", "Samples of searches by `perf`, the twelve parts with the largest shares: classes and namespaces of ordeal without what they "
           "call.\n", profiles(measured))


def of_machine(measured):
    machine = measured["machine"]
    rows = [["date", measured["date"]], ["processor", f"{machine['processor']}, {machine['processors']} of them"], ["memory", machine["memory"]],
            ["system", machine["system"]], ["load when it began", machine["load"]], ["compiler", measured["compiler"]], ["now", measured["now"]]]
    if measured.get("before"):
        rows.append(["before", measured["before"]])
    return table(["measured", "on"], rows)


def tables(measured):
    text = ""
    for heading, words, body in sections(measured):
        if body:
            text += f"\n## {heading}\n\n{words}\n{body.lstrip(chr(10))}"
    return text


def page(measured):
    return HEAD + of_machine(measured) + "\n## What is measured\n" + MEASURED.rstrip("\n") + "\n" + tables(measured) + CAVEATS


def main():
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    arguments = arguments[1:] if check else arguments
    if not 1 <= len(arguments) <= 2:
        sys.exit(__doc__)
    measured = json.loads(pathlib.Path(arguments[0]).read_text())
    if arguments[1:] == ["--tables"]:
        print(tables(measured), end="")
    elif len(arguments) == 1:
        print(page(measured), end="")
    elif not check:
        pathlib.Path(arguments[1]).write_text(page(measured))
    else:
        wanted, found = page(measured).splitlines(), pathlib.Path(arguments[1]).read_text().splitlines()
        for number, (must, is_) in enumerate(zip(wanted + [None], found + [None]), 1):
            if must != is_:
                sys.exit(f"{arguments[1]}:{number}: is not what {arguments[0]} says\n  is:      {is_}\n  must be: {must}\n"
                         f"python3 bench/page.py {arguments[0]} {arguments[1]} writes it anew.")
            if must is None:
                break


main()
