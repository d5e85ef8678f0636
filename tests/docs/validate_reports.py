# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds reports of a program against reference-data/schema/.

usage: validate_reports.py PROGRAM SCHEMA_FOLDER

Every key of a report must be one that its schema describes, although the schemas allow others: keys may be added.
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

program, schema_folder = sys.argv[1], pathlib.Path(sys.argv[2])
failures = []


def closed(schema):
    """The same schema, with every key forbidden that it does not describe."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    result = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        result.setdefault("additionalProperties", False)
    return result


def validator(name):
    schema = json.loads((schema_folder / f"{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(closed(schema))


def report(*arguments):
    done = subprocess.run([program, *arguments, "--json", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    try:
        return json.loads(done.stdout)
    except ValueError:
        sys.exit(f"no report from {' '.join(arguments)}: {done.stderr.decode()}")


def errors_of(name, value):
    return [f"{error.json_path}: {error.message[:200]}" for error in validator(name).iter_errors(value)]


def hold(name, *arguments):
    value = report(*arguments)
    for error in errors_of(name, value):
        failures.append(f"{' '.join(arguments)}: {error}")
    return value


hold("list", "list")
hold("check", "check")
hold("check", "check", "exhibit/control/*", "task", "--coverage", "--outcomes", "--strict")
hold("check", "check", "event/is_set_publishes", "--show", "1")
hold("check", "check", "event/is_set_publishes", "--engine", "all")
hold("check", "check", "event/set_against_three_waiters", "--search", "random=10", "--seed", "7", "--require-complete")
accepted = ["exhibit/bug_notify_after_publish/wait_then_free", "--accept", "notification-after-destruction"]
hold("check", "check", *accepted)
hold("audit", "audit", "task", "exhibit/relaxed_flag", "exhibit/two_flags", "exhibit/four_site_dekker", "--strict")
hold("audit", "audit", "exhibit/relaxed_flag", "--fix")
hold("audit", "audit", *accepted)
with tempfile.TemporaryDirectory() as folder:
    kept = pathlib.Path(folder) / "kept.json"
    kept.write_text(json.dumps(report("audit", "task")))
    hold("audit", "audit", "sync_wait", "task", "--baseline", str(kept))
tokens = [each["replay"] for each in report("check", "exhibit/*")["scenarios"] if each["replay"]]
for token in tokens[:8]:
    hold("replay", "replay", token)
stressed = hold("stress", "stress", "task/abandon_against_complete", "--samples", "2000", "--seed", "1")

# A report that has lost a key, has another one, or a value of another type must be noticed.
for change in (
    lambda value: value["scenarios"][0].pop("samples"),
    lambda value: value["scenarios"][0].update(another=1),
    lambda value: value["scenarios"][0].update(samples="many"),
):
    broken = copy.deepcopy(stressed)
    change(broken)
    if not errors_of("stress", broken):
        failures.append("a broken report was not noticed")

for failure in failures[:40]:
    print(failure)
sys.exit(1 if failures else 0)
