#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What ci/mend_lists.py makes of a copy in which sources are moved, added and removed: every list is right again, and it
# says what it has changed.
# usage: mend.sh CMAKE SOURCE
set -euo pipefail

cmake=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tree=$folder/tree
mkdir "$tree"
cd "$source"
cp -r CMakeLists.txt CONTRIBUTING.md cmake ci src tests model_tests tsan_tests stress bench "$tree"
cd "$tree"
git init -q
git add --all
git -c user.name=nobody -c user.email=nobody@example.org commit -q -m 'As it is'

die() { printf 'mend.sh: %s\n' "$*" >&2; exit 1; }
listed() { "$cmake" -D "root=$tree" -P "$source/tests/configure/sources_listed.cmake" >"$folder/listed" 2>&1; }
# mended STATUS: runs it, which ends so.
mended() {
    local status=0
    python3 "$source/ci/mend_lists.py" "$tree" >"$folder/said" 2>&1 || status=$?
    [[ $status == "$1" ]] || { cat "$folder/said" >&2; die "ended with $status, not $1"; }
}
says() { grep -qxF -- "$1" "$folder/said" || { cat "$folder/said" >&2; die "does not say: $1"; }; }
# line_after FILE LINE NEXT: these lines follow each other.
line_after() {
    grep -A 1 -xF -- "$2" "$1" | grep -qxF -- "$3" || die "$1: no line after $2 is $3"
}

mended 0
[[ ! -s $folder/said ]] || { cat "$folder/said" >&2; die "something is mended where nothing is broken"; }

# Moved: the file has its new name in includes and lists, in calls that name it alone, too.
mkdir src/ordeal/engine/relacy/inner
git mv src/ordeal/engine/relacy/kernel.cpp src/ordeal/engine/relacy/inner/
mv src/ordeal/engine/limit.hpp src/ordeal/engine/limits_of_a_search.hpp
# Added, with and without a header; a header that is internal though all beside it are public.
printf '// SPDX\n' | tee src/ordeal/report/zebra.cpp src/ordeal/report/zebra.hpp src/ordeal/scenario/zebra.hpp \
    tests/cli/aardvark_tests.cpp src/ordeal/compiler/clang_aardvark.cpp >tests/units/aardvark.cpp
# Removed, the last one of a list, too.
rm src/ordeal/report/text/trace_text.cpp src/ordeal/symbols/stack_walk.cpp src/ordeal/runtime/order.cpp
! listed || die "the lists are right before anything is mended"

mended 0
listed || { cat "$folder/listed" >&2; exit 1; }
list=src/ordeal/CMakeLists.txt
says "$list: engine/relacy/kernel.cpp is now engine/relacy/inner/kernel.cpp, in target_sources(ordeal_harness"
says "$list: engine/relacy/kernel.cpp is now engine/relacy/inner/kernel.cpp, where it is named alone"
line_after $list '        engine/graph/search/workers.cpp' '        engine/interleaving.cpp'
grep -qxF '        engine/relacy/inner/kernel.cpp' $list || die "what was moved is not in its list"
grep -qF 'set_source_files_properties(engine/relacy/inner/kernel.cpp' $list || die "what was moved has its old name in a call"
says 'src/ordeal/engine/engine.hpp: ordeal/engine/limit.hpp is now ordeal/engine/limits_of_a_search.hpp'
grep -qxF '#include "ordeal/engine/limits_of_a_search.hpp"' src/ordeal/engine/limit.cpp || die "an include has the old name"
line_after $list '        engine/limits_of_a_search.hpp' '        engine/memory_model.hpp'
says "$list: without symbols/stack_walk.cpp, in target_sources(ordeal_harness"
says "$list: with report/zebra.cpp, in target_sources(ordeal_harness"
line_after $list '        report/value_names.hpp' '        report/zebra.hpp'
line_after $list '        report/text/trace_layout.cpp' '        report/zebra.cpp'
line_after $list '        symbols/names/trace_names.cpp)' 'ordeal_embed_template(ordeal_harness FILES'
line_after $list '    src/bounded_queue.hpp' '    trials/hands_over.cpp'
line_after $list '        scenario/trial_registration.hpp' '        scenario/zebra.hpp'
line_after tests/CMakeLists.txt '        cli/aardvark_tests.cpp' '        cli/baseline_tests.cpp'
line_after tests/CMakeLists.txt '        units/aardvark.cpp' '        units/audit_report_tests.cpp'
says 'cmake/ordeal_compiler_plugin.cmake: with clang_aardvark.cpp'
says 'cmake/ordeal_add_suite.cmake: without ordeal/runtime/order.cpp, in set(ordeal_sanitized_sources'
grep -qE 'set\(sources clang_aardvark.cpp clang_accesses.cpp' cmake/ordeal_compiler_plugin.cmake || die "the plugin lacks its source"

# What it cannot know is left, and said.
mkdir -p tests/browser/inner
printf '// SPDX\n' >tests/browser/inner/zebra.cpp
mended 1
says 'by hand: tests/browser/CMakeLists.txt: has no list for inner/zebra.cpp'
