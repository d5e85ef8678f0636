# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mends what names a source that was moved, added or removed since the last commit, and says what it changed.

usage: mend_lists.py ROOT

A file that git takes for moved is named by its new path wherever the whole old path stands: in includes, scripts and
documents. The lists of sources in CMakeLists.txt, of one file in each line, then get what is new and lose what was
removed. A new file goes where its header or source is, else into the list with most files of its folder; a header into a
list of internal ones, if there is one: what is public is decided by people. Ends with 1 if something is left to mend by
hand.
"""
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TREES = ("src", "tests", "model_tests", "tsan_tests", "stress", "bench")
PLUGINS = "src/ordeal/compiler/"
PLUGIN_LIST = "cmake/ordeal_compiler_plugin.cmake"
ENTRY = re.compile(r"^( +)([\w./-]+\.[ch]pp)(\)*)$")


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.changes = []
        self.left = []
        self.committed = set(self.git("ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0"))

    def git(self, *arguments, **environment):
        return subprocess.run(["git", "-C", self.root, *arguments], check=True, capture_output=True, text=True,
                              env={**os.environ, **environment}).stdout

    def files(self):
        listed = self.git("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
        return sorted(name for name in set(listed) if name and (self.root / name).is_file())

    def read(self, name):
        return (self.root / name).read_text(encoding="utf-8")

    def write(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8")

    def moves(self):
        """Sources by their old path, with the new one. In an index of its own: what is staged stays as it is."""
        with tempfile.TemporaryDirectory() as folder:
            index = os.path.join(folder, "index")
            self.git("read-tree", "HEAD", GIT_INDEX_FILE=index)
            self.git("add", "--all", ".", GIT_INDEX_FILE=index)
            renames = self.git("diff", "--cached", "--name-status", "--find-renames", "--diff-filter=R", "-l0", "-z", "HEAD",
                               GIT_INDEX_FILE=index).split("\0")
        pairs = zip(renames[1::3], renames[2::3])
        return {old: new for old, new in pairs if is_source(old) and is_source(new)}


def folders_of_users():
    listed = (pathlib.Path(__file__).parent.parent / "src/compiled_by_users.txt").read_text(encoding="utf-8")
    return tuple(f"src/{line}/" for line in listed.splitlines() if not line.startswith("#"))


def is_source(name):
    return name.endswith((".cpp", ".hpp")) and not name.startswith(folders_of_users())


def mend_paths(tree, moves):
    """Whole paths, from the root of the project or from src/."""
    shortened = {old.removeprefix("src/"): new.removeprefix("src/") for old, new in moves.items()
                 if old.startswith("src/") == new.startswith("src/")}
    if not shortened:
        return
    pattern = re.compile(r"(?<![\w.-])(" + "|".join(re.escape(old) for old in shortened) + r")(?!\w)")
    for name in tree.files():
        try:
            text = tree.read(name)
        except UnicodeDecodeError:
            continue
        found = []

        def renamed(match):
            found.append(match[1])
            return shortened[match[1]]

        mended = pattern.sub(renamed, text)
        for old, count in sorted(collections.Counter(found).items()):
            times = f", {count} times" if count > 1 else ""
            tree.changes.append(f"{name}: {old} is now {shortened[old]}{times}")
        if found:
            tree.write(name, mended)


class List:
    """Lines of a CMakeLists.txt that follow each other, a file in each. The last one may close a call."""

    def __init__(self, lines, begin, end):
        self.begin, self.end = begin, end
        entries = [ENTRY.match(line) for line in lines[begin:end]]
        self.indent, self.closing = entries[0][1], entries[-1][3]
        self.names = [entry[2] for entry in entries]
        self.call = next((line.split()[0] for line in reversed(lines[:begin]) if re.match(r"\w+\(", line)), "")
        self.public = begin > 0 and "FILE_SET HEADERS" in lines[begin - 1]

    def add(self, name):
        """In order; where the names are not in order, before the first that is greater."""
        at = next((i for i, each in enumerate(self.names) if each > name), len(self.names))
        self.names.insert(at, name)

    def written(self, lines):
        entries = [self.indent + name for name in self.names]
        entries[-1] += self.closing
        return lines[:self.begin] + entries + lines[self.end:]


def lists_of(text):
    lines = text.split("\n")
    begin = 0
    while begin < len(lines):
        end = begin
        while end < len(lines) and ENTRY.match(lines[end]):
            end += 1
            if ENTRY.match(lines[end - 1])[3]:
                break
        if end > begin:
            yield List(lines, begin, end)
        begin = max(end, begin + 1)


def folder_of(cmake):
    return "src" if cmake.startswith("cmake/") else os.path.dirname(cmake)


def mend_lists(tree, cmake, moves):
    """Without what was removed. What was moved is in the list that it was in, and has its new name in other calls, too.

    What is not there and never was is a file of another folder, as those that ordeal_embed_template() has.
    """
    folder = folder_of(cmake)
    prefix = f"{folder}/"
    moved = {os.path.relpath(old, folder): os.path.relpath(new, folder) for old, new in moves.items()
             if old.startswith(prefix) and new.startswith(prefix)}
    text = tree.read(cmake)
    lines = text.split("\n")
    for one in reversed(list(lists_of(text))):
        missing = [name for name in one.names
                   if prefix + name in tree.committed and not (tree.root / folder / name).exists()]
        if len(missing) == len(one.names) and not any(name in moved for name in missing):
            tree.left.append(f"{cmake}:{one.begin + 1}: of this list in {one.call} no file is there")
            continue
        for name in missing:
            one.names.remove(name)
            if name in moved:
                one.add(moved[name])
                tree.changes.append(f"{cmake}: {name} is now {moved[name]}, in {one.call}")
            else:
                tree.changes.append(f"{cmake}: without {name}, in {one.call}")
        lines = one.written(lines)
    mended = "\n".join(lines)
    for old, new in moved.items():
        inline, count = re.subn(rf"(?<=[ \n\";(]){re.escape(old)}(?=[ \n\";)])", new, mended)
        if count:
            mended = inline
            tree.changes.append(f"{cmake}: {old} is now {new}, where it is named alone")
    if mended != text:
        tree.write(cmake, mended)


def add(tree, cmakes, source):
    """A source that no list has."""
    folder = os.path.dirname(source)
    while folder and f"{folder}/CMakeLists.txt" not in cmakes:
        folder = os.path.dirname(folder)
    cmake = f"{folder}/CMakeLists.txt"
    if cmake not in cmakes:
        tree.left.append(f"no CMakeLists.txt stands above {source}")
        return
    name = os.path.relpath(source, folder)
    text = tree.read(cmake)
    stem, extension = os.path.splitext(name)
    partner = stem + (".cpp" if extension == ".hpp" else ".hpp")
    lists = [one for one in lists_of(text) if any(each.endswith(extension) for each in one.names)]
    if not lists:
        tree.left.append(f"{cmake}: has no list for {name}")
        return
    partners = {one.call for one in lists_of(text) if partner in one.names}

    def fits(one):
        """Where most files of its folder are, or else of the folder above, and so on."""
        beside = os.path.dirname(name)
        above = 0
        while True:
            count = sum(each.endswith(extension) and each.startswith(f"{beside}/" if beside else "") for each in one.names)
            if count:
                return (partner in one.names, one.call in partners, -above, not one.public, count)
            beside = os.path.dirname(beside)
            above += 1

    best = max(lists, key=fits)
    best.add(name)
    tree.write(cmake, "\n".join(best.written(text.split("\n"))))
    tree.changes.append(f"{cmake}: with {name}, in {best.call}")


def mend_plugins(tree, files):
    """The sources of the plugin for clang stand in lines of several."""
    there = sorted(name.removeprefix(PLUGINS) for name in files if name.startswith(f"{PLUGINS}clang_"))
    text = tree.read(PLUGIN_LIST)
    found = re.search(r"set\(sources (clang_[^)]*)\)", text)
    listed = found[1].split()
    if listed == there:
        return
    rows = [" " * 8 + "set(sources"]
    for name in there:
        if len(rows[-1]) + len(name) > 115:
            rows.append(" " * 11)
        rows[-1] += f" {name}"
    changes = [f"with {name}" for name in there if name not in listed]
    changes += [f"without {name}" for name in listed if name not in there]
    text = text[:found.start()].rstrip(" ") + "\n".join(rows) + ")" + text[found.end():]
    tree.write(PLUGIN_LIST, text)
    tree.changes.append(f"{PLUGIN_LIST}: {', '.join(changes) or 'in order'}")


def is_listed(tree, cmakes, source):
    folder = os.path.dirname(source)
    while folder:
        cmake = f"{folder}/CMakeLists.txt"
        if cmake in cmakes:
            name = re.escape(os.path.relpath(source, folder))
            if re.search(rf"[ \n\";]{name}[ \n\";)]", tree.read(cmake)):
                return True
        folder = os.path.dirname(folder)
    return False


def main(root):
    tree = Tree(root)
    moves = tree.moves()
    mend_paths(tree, moves)
    files = tree.files()
    cmakes = {name for name in files if name.startswith(TREES) and os.path.basename(name) == "CMakeLists.txt"}
    lists = cmakes | {name for name in files if re.match(r"cmake/[\w]+\.cmake$", name)}
    for cmake in sorted(lists):
        mend_lists(tree, cmake, moves)
    mend_plugins(tree, files)
    # Headers before their sources, which then follow them.
    sources = [name for name in files if is_source(name) and name.split("/")[0] in TREES and not name.startswith(PLUGINS)]
    for source in sorted(sources, key=lambda name: (not name.endswith(".hpp"), name)):
        if not is_listed(tree, cmakes, source):
            add(tree, cmakes, source)
    for change in tree.changes:
        print(change)
    for what in tree.left:
        print(f"by hand: {what}", file=sys.stderr)
    return 1 if tree.left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
