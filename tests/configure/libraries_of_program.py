# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every library that the program is linked with is one that symbols/loaded_modules.cpp knows to be the program's. The globals and
locks of any other library are taken for the trial's.

usage: libraries_of_program.py PROGRAM SOURCE
"""
import pathlib
import re
import subprocess
import sys

program, source = sys.argv[1:]
text = (pathlib.Path(source) / "src/ordeal/symbols/loaded_modules.cpp").read_text()
known = re.findall(r'"([^"]+)"', re.search(r"known\{(.*?)\};", text, re.DOTALL).group(1))
linked = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
names = [line.split()[0].rsplit("/", 1)[-1] for line in linked.splitlines()]
own = [name for name in names if not name.endswith("_trial.so")]


def unknown(prefixes):
    return [name for name in own if not name.startswith(tuple(prefixes))]


if len(own) < 5 or unknown(known):
    sys.exit(f"not in the list of loaded_modules.cpp: {unknown(known) or own}")
if not unknown(known[:1]):
    sys.exit("the check is blind: a list of one name has all of them")
