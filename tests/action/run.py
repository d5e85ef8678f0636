#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the shell of action.yml, step by step, on what `ordeal new` writes, as a runner of GitHub would.

usage: run.py ROOT ORDEAL PACKAGE_DIR
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

root, ordeal, package = (pathlib.Path(each).resolve() for each in sys.argv[1:])
action = yaml.safe_load((root / "action.yml").read_text())
matcher = json.loads((root / "ci/problem_matcher.json").read_text())["problemMatcher"][0]
pattern = matcher["pattern"][0]


def require(condition, *words):
    if not condition:
        sys.exit("not so: " + " ".join(str(each) for each in words))


class Runner:
    """What a job keeps from one step to the next."""

    def __init__(self, workspace, **inputs):
        self.workspace = workspace
        self.temporary = workspace.parent / "temporary"
        self.temporary.mkdir(exist_ok=True)
        self.inputs = {name: str(each.get("default", "")) for name, each in action["inputs"].items()} | inputs
        self.environment = {k: v for k, v in os.environ.items() if k not in ("CXX", "CC", "ordeal_DIR")}
        self.outputs = {}
        self.summary = ""

    def value(self, text):
        """With each `${{ name }}` replaced."""

        def one(found):
            name = found[1]
            if name.startswith("inputs."):
                return self.inputs[name.removeprefix("inputs.")]
            if name.startswith("steps."):
                return self.outputs.get(name, "")
            return {"runner.temp": str(self.temporary), "github.action_path": str(root)}[name]

        return re.sub(r"\$\{\{ *([^ }]+) *\}\}", one, text)

    def run(self, name):
        step = next(each for each in action["runs"]["steps"] if each["name"] == name)
        files = {each: self.temporary / each for each in ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_STEP_SUMMARY")}
        for each in files.values():
            each.write_text("")
        environment = self.environment | {key: str(file) for key, file in files.items()}
        environment |= {key: self.value(each) for key, each in step.get("env", {}).items()}
        require("${{" not in step["run"], name, "has its values by variables: a shell does not parse them")
        result = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.workspace / self.value(step.get("working-directory", ".")),
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        print(result.stdout)
        for line in files["GITHUB_OUTPUT"].read_text().splitlines():
            key, value = line.split("=", 1)
            self.outputs[f"steps.{step.get('id', '')}.outputs.{key}"] = value
        self.environment |= dict(line.split("=", 1) for line in files["GITHUB_ENV"].read_text().splitlines())
        self.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        return result


def annotations(output, workspace):
    """What a runner makes of output: only while the matcher is there, and each in a file of the workspace."""
    found = []
    on = False
    for line in output.splitlines():
        if line.startswith("::add-matcher::"):
            on = json.loads(pathlib.Path(line.removeprefix("::add-matcher::")).read_text())["problemMatcher"][0] == matcher
        elif line == f"::remove-matcher owner={matcher['owner']}::":
            on = False
        elif on and (match := re.search(pattern["regexp"], line)):
            one = {key: match[pattern[key]] for key in ("file", "line", "column", "severity", "message")}
            lines = (workspace / one["file"]).read_text().splitlines()
            require(1 <= int(one["line"]) <= len(lines), "a line of the file:", one)
            require(one["severity"] in ("error", "warning"), "a severity that runners know:", one)
            found.append(one)
    return found


def install(runner):
    """As after a cache hit. What is installed is the build folder."""
    config = runner.temporary / "ordeal/lib/cmake/ordeal"
    config.mkdir(parents=True)
    (config / "ordealConfig.cmake").write_text(f'include("{package}/ordealConfig.cmake")\n')
    runner.outputs["steps.cache.outputs.cache-hit"] = "true"
    require(runner.run("Install ordeal").returncode == 0, "installed")


def reports_of(runner):
    return pathlib.Path(runner.outputs["steps.run.outputs.reports"])


def at_the_root(folder):
    workspace = folder / "workspace"
    subprocess.run([ordeal, "new", workspace, "--name", "fresh"], check=True, stdout=subprocess.DEVNULL)
    workflow = yaml.safe_load((workspace / ".github/workflows/ordeal.yml").read_text())
    step = workflow["jobs"]["trials"]["steps"][-1]
    require(set(step["with"]) <= set(action["inputs"]), "the project's workflow gives inputs that there are")
    runner = Runner(workspace, **step["with"])
    require(runner.run("Name the system").returncode == 0, "the system has a name")
    require(re.fullmatch(r"[a-z]+-[\w.]+-\w+", runner.outputs["steps.system.outputs.name"]), runner.outputs)
    install(runner)
    require(runner.run("Build the trials").returncode == 0, "built")

    checked = runner.run("Run the trials")
    require(checked.returncode == 1, "a violation")
    require(runner.outputs["steps.run.outputs.exit-code"] == "1", runner.outputs)
    found = annotations(checked.stdout, workspace)
    require([(each["file"], each["severity"]) for each in found] == [("src/bounded_queue.hpp", "error")] * 2, found)
    line = (workspace / found[0]["file"]).read_text().splitlines()[int(found[0]["line"]) - 1]
    require("slots_[popped % Capacity]" in line, "the line of the violation:", line)
    require("violated: data race" in found[0]["message"], found)
    require("violated: data race" in runner.summary and "bounded_queue/hands_over" in runner.summary, runner.summary)
    names = sorted(each.name for each in reports_of(runner).rglob("*") if each.is_file())
    require(names == [f"build_trials.{each}" for each in ("json", "md", "problems", "sarif", "xml")], names)

    # The text that people read is none of the matcher's.
    text = subprocess.run(["build/trials", "check"], cwd=workspace, stdout=subprocess.PIPE, text=True, check=False).stdout
    require("violated: data race" in text, text)
    require(not [each for each in text.splitlines() if re.search(pattern["regexp"], each)], "the text has no problem")

    # The audit's are warnings at the site.
    runner.inputs |= {"command": "audit", "arguments": "--time-budget 10 --strict"}
    audited = annotations(runner.run("Run the trials").stdout, workspace)
    require([each for each in audited if each["severity"] == "warning" and "needs release" in each["message"]], audited)

    # What is no program fails, and so does none.
    runner.inputs |= {"command": "check", "arguments": "", "programs": "build/absent\nbuild/trials\n"}
    require(runner.run("Run the trials").returncode not in (0, 1), "a program that is not there")
    require((reports_of(runner) / "build_trials.json").exists(), "the other one is run")
    runner.inputs |= {"programs": "\n"}
    require(runner.run("Run the trials").returncode == 4, "no program")

    header = workspace / "src/bounded_queue.hpp"
    header.write_text(header.read_text().replace("pushed + 1, std::memory_order_relaxed", "pushed + 1, std::memory_order_release"))
    runner.inputs |= {"programs": "build/trials"}
    runner.summary = ""
    require(runner.run("Build the trials").returncode == 0, "built")
    checked = runner.run("Run the trials")
    require(checked.returncode == 0 and not annotations(checked.stdout, workspace), "held, and nothing is said")
    require("held" in runner.summary, runner.summary)
    header.write_text(header.read_text().replace("pushed + 1, std::memory_order_release", "pushed + 1, std::memory_order_relaxed"))


def in_a_folder(folder):
    """Paths in annotations and alerts are those of the repository."""
    workspace = folder / "repository"
    workspace.mkdir()
    (folder / "workspace").rename(workspace / "its queue")
    runner = Runner(workspace, source="its queue", programs="build/trials")
    runner.environment["ordeal_ROOT"] = str(runner.temporary / "ordeal")
    subprocess.run(["rm", "-rf", workspace / "its queue/build"], check=True)
    require(runner.run("Build the trials").returncode == 0, "built")
    checked = runner.run("Run the trials")
    require(checked.returncode == 1, "a violation")
    found = annotations(checked.stdout, workspace)
    require([each["file"] for each in found] == ["its queue/src/bounded_queue.hpp"] * 2, found)
    result = json.loads((reports_of(runner) / "sarif/build_trials.sarif").read_text())["runs"][0]["results"][0]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    require(uri == "its%20queue/src/bounded_queue.hpp", uri)
    for flow in result["codeFlows"][0]["threadFlows"]:
        for each in flow["locations"]:
            uri = each["location"]["physicalLocation"]["artifactLocation"]["uri"]
            require(uri.startswith("its%20queue/"), uri)


with tempfile.TemporaryDirectory() as scratch:
    at_the_root(pathlib.Path(scratch))
    in_a_folder(pathlib.Path(scratch))
print("as a runner would")
