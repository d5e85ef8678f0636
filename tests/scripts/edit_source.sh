#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What ci/edit_source.py finds, however a source is formatted, and what it refuses: then it names the edit, and writes nothing.
# usage: edit_source.sh SOURCE
set -euo pipefail

tool=$1/ci/edit_source.py
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

die() { printf 'edit_source.sh: %s\n' "$*" >&2; exit 1; }
# edit STATUS NAME: tries to write it to new/, and ends so.
edit() {
    local status=0
    rm -rf new
    python3 -B "$tool" edits.toml --write "$2" new >said 2>&1 || status=$?
    [[ $status == "$1" ]] || { cat said >&2; die "$2: ended with $status, not $1"; }
}
# gives NAME TEXT: source.cpp becomes this.
gives() {
    edit 0 "$1"
    diff - new/source.cpp <<<"$2" || die "$1: does not give that"
}
# refuses NAME ERROR: after the name of the file of edits, and that of the edit.
refuses() {
    edit 1 "$1"
    [[ $(<said) == "edits.toml: $2" ]] || { cat said >&2; die "$1: does not say: $2"; }
    [[ ! -e new ]] || die "$1: something is written"
}

cat >edits.toml <<'END'
[edit.'once']
file = 'source.cpp'
find = 'return count + step;'
replace = '''return  count
    - step; // "\1" & '''

[edit.'twice']
file = 'source.cpp'
find = '''
count
    +'''
replace = '-'

[edit.'everywhere']
file = 'source.cpp'
find = 'count'
replace = 'n'
all = true

[edit.'never']
file = 'source.cpp'
find = 'coun'
replace = 'n'

[edit.'the same']
file = 'source.cpp'
find = 'count + step'
replace = 'count  +  step'

[edit.'in a literal']
file = 'source.cpp'
find = '"// count"'
replace = '"none"'

[edit.'behind']
file = 'source.cpp'
append = "int last;\n"

[edit.'no file']
file = 'other.cpp'
find = 'count'
replace = 'n'

[edit.'two files']
edits = [
    { file = 'source.cpp', find = '#include <count>', replace = '' },
    { file = 'second.cpp', find = 'int second', replace = 'int third' },
]

[edit.'the second does not apply']
file = 'source.cpp'
edits = [
    { find = '#include <count>', replace = '#include <counts>' },
    { find = '#include <count>', replace = '' },
]
END
cat >source.cpp <<'END'
#include <count>
int add(int count) { return count + step; }
int more(int count) { return count + 1; }  // count + step
const char* text = "// count";
END
printf 'int second;\n' >second.cpp

gives once '#include <count>
int add(int count) { return  count
    - step; // "\1" &  }
int more(int count) { return count + 1; }  // count + step
const char* text = "// count";'
gives everywhere '#include <n>
int add(int n) { return n + step; }
int more(int n) { return n + 1; }  // count + step
const char* text = "// count";'
gives 'in a literal' "$(sed 's|"// count"|"none"|' source.cpp)"
gives behind "$(<source.cpp)
int last;"
gives 'two files' "
$(tail -n +2 source.cpp)"
[[ $(<new/second.cpp) == 'int third;' ]] || die "two files: the second is as it was"

refuses never 'never: source.cpp: matches 0 times, not once: coun'
refuses twice 'twice: source.cpp: matches 2 times, not once, in the lines 2, 3: count
    +'
refuses 'the same' 'the same: source.cpp: changes nothing: count + step'
refuses 'no file' 'no file: other.cpp: is not there'
refuses 'the second does not apply' 'the second does not apply: source.cpp: matches 0 times, not once: #include <count>'
refuses 'unknown' 'has no edit of this name: unknown'

status=0
python3 -B "$tool" edits.toml --check >said 2>&1 || status=$?
[[ $status == 1 ]] || die "edits that do not apply are no error"
grep -qxF '5 of 10 edits apply' said || { cat said >&2; die "does not count the edits that apply"; }

# What is right already keeps its time: a build would begin anew.
edit 0 once
touch -d 2001-01-01 new/source.cpp
python3 -B "$tool" edits.toml --write once new
[[ $(stat -c %Y new/source.cpp) -lt 1000000000 ]] || die "a file that is right is written again"

# Formatted anew.
cat >source.cpp <<'END'
#include <count>
int add(int count)
{
    return /* both */ count  // the first
        + \
        step  // and the second
        ;
}
END
gives once '#include <count>
int add(int count)
{
    return  count
    - step; // "\1" & 
}'
