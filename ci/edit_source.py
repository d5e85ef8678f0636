# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Edits of sources that are kept as data, and found again however a source is formatted.

usage: edit_source.py EDITS --list               writes the edits, as JSON
       edit_source.py EDITS --check              tries each edit, and fails if one does not apply
       edit_source.py EDITS --write NAME FOLDER  writes the files that this edit changes, below FOLDER; a file there that is
                                                 right already keeps its time

EDITS is a TOML file with a table for each edit:

    [edit.'a release sequence ends at once']
    file = 'src/ordeal/engine/graph/consistency/happens_before.cpp'
    find = 'write.is_rmw() && rf'
    replace = 'false && write.is_rmw() && rf'

What is found is compared token by token: a name, a number, a literal, or one character of punctuation. Space, line breaks and
comments between tokens do not count. There must be one place; with `all = true`, at least one. From its first token to its
last, comments included, it becomes the text of `replace`, as it stands. An edit with several places, or files, has a list
`edits` of such tables, made in this order; `file` may stand beside it. `append` is the text to put behind the file. Other keys
are for those who read the edits.
"""
import json
import pathlib
import re
import sys
import tomllib

TOKEN = re.compile(r"""
    (?P<space> (?: \s | \\\n | //[^\n]* | /\*.*?\*/ )+ )
  | (?:u8|[uUL])? R"(?P<mark>[^()\\\s]*) \( .*? \) (?P=mark)"
  | "(?: \\. | [^"\\\n] )*"
  | '(?: \\. | [^'\\\n] )*'
  | \d (?: '?[\w.] )*
  | \w+
  | .
""", re.VERBOSE | re.DOTALL)


class EditError(Exception):
    pass


def tokens(text):
    return [match for match in TOKEN.finditer(text) if match["space"] is None]


def spellings(text):
    return [match[0] for match in tokens(text)]


def places(text, wanted):
    """Where these tokens stand, as pairs of begin and end. No two overlap."""
    there = tokens(text)
    all_spellings = [match[0] for match in there]
    found, i = [], 0
    while i + len(wanted) <= len(there):
        if all_spellings[i:i + len(wanted)] == wanted:
            found.append((there[i].start(), there[i + len(wanted) - 1].end()))
            i += len(wanted)
        else:
            i += 1
    return found


def edited(text, edit):
    """The text with one pair of `find` and `replace` in it, or with what is put behind it."""
    if "append" in edit:
        return text + edit["append"]
    if "find" not in edit or "replace" not in edit:
        raise EditError("has no `find` and `replace`, and no `append`")
    find, replace, everywhere = edit["find"], edit["replace"], edit.get("all", False)
    wanted = spellings(find)
    if not wanted:
        raise EditError("finds nothing: `find` has no tokens")
    if wanted == spellings(replace):
        raise EditError(f"changes nothing: {find.strip()}")
    found = places(text, wanted)
    if not found or len(found) > 1 and not everywhere:
        lines = ", ".join(str(text.count("\n", 0, begin) + 1) for begin, _ in found)
        where = f", in the lines {lines}" if found else ""
        needed = "at least once" if everywhere else "once"
        raise EditError(f"matches {len(found)} times, not {needed}{where}: {find.strip()}")
    for begin, end in reversed(found):
        text = text[:begin] + replace + text[end:]
    return text


def edited_files(name, entry, root):
    """What the files that an edit changes become. Nothing is written."""
    texts = {}
    for edit in entry.get("edits", [entry]):
        file = edit.get("file", entry.get("file"))
        if file is None:
            raise EditError(f"{name}: names no file")
        try:
            text = texts[file] if file in texts else (root / file).read_text(encoding="utf-8")
            texts[file] = edited(text, edit)
        except FileNotFoundError:
            raise EditError(f"{name}: {file}: is not there") from None
        except EditError as error:
            raise EditError(f"{name}: {file}: {error}") from None
    return texts


def read_edits(path):
    """A TOML file; its edits are in the table `edit`."""
    try:
        read = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise EditError(str(error)) from None
    if not read.get("edit"):
        raise EditError("has no edits")
    return read


def try_each(entries, root):
    """What is wrong, a line for each edit that does not apply."""
    for name, entry in entries.items():
        try:
            edited_files(name, entry, root)
        except EditError as error:
            yield name, str(error)


def write_changed(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def main(arguments):
    root = pathlib.Path.cwd()
    try:
        match arguments:
            case [path, "--list"]:
                print(json.dumps(read_edits(pathlib.Path(path))["edit"]))
            case [path, "--check"]:
                entries = read_edits(pathlib.Path(path))["edit"]
                wrong = list(try_each(entries, root))
                for _, error in wrong:
                    print(f"{path}: {error}", file=sys.stderr)
                print(f"{len(entries) - len(wrong)} of {len(entries)} edits apply")
                return 1 if wrong else 0
            case [path, "--write", name, folder]:
                entries = read_edits(pathlib.Path(path))["edit"]
                if name not in entries:
                    raise EditError(f"has no edit of this name: {name}")
                for file, text in edited_files(name, entries[name], root).items():
                    write_changed(pathlib.Path(folder) / file, text)
            case _:
                sys.exit(__doc__)
    except EditError as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
