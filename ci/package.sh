#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds the Debian package, checks it, installs it where neither the project nor its build is to be seen, and uses it there: a
# project outside with each of the components, the program, manual page and completions (tests/package/use.sh).
#
#   ci/package.sh [--debootstrap [SUITE]]   in a Debian of its own, fetched from where apt gets this one; SUITE: this system's
#   ci/package.sh --view [--build FOLDER]   in a private view of this system, if that can be had: seconds, and no network.
#                                           FOLDER, in which ordeal is built: build/release
#   ci/package.sh --keep FILE ...           keeps the package there
#
# The first way proves that what the package depends on is complete: nothing else is installed but that and what every Debian has.
# It needs root.
# shellcheck disable=SC2016  # what is expanded in another root stands in single quotes
source "$(dirname "$0")/lib.sh"

way=debootstrap
folder=
suite=
keep=
while (($#)); do
    case $1 in
        --build) folder=$(realpath "$2"); shift ;;
        --keep) keep=$(realpath "$2"); shift ;;
        --view) way=view ;;
        --debootstrap)
            if [[ -n ${2-} && $2 != --* ]]; then suite=$2; shift; fi ;;
        *) die "unknown option: $1" ;;
    esac
    shift
done

if [[ -z $folder ]]; then
    folder=$PWD/$(build_dir release)
    if [[ $way == debootstrap ]]; then
        ci/deps.sh --package
        configure release
        build release ordeal ordeal_said ordeal_compiler_plugin ordeal_gxx_plugin
    fi
fi

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

# Small where somebody gets it, quick where nobody does.
compression=none
[[ $way == view && -z $keep ]] || compression=xz
say "package: $folder"
cpack --config "$folder/CPackConfig.cmake" -G DEB -B "$work/cpack" -D "CPACK_DEBIAN_COMPRESSION_TYPE=$compression" \
    >"$work/log" 2>&1 || { cat "$work/log" >&2; die "cpack failed"; }
mv "$work"/cpack/*.deb "$work"
rm -r "$work/cpack"
packages=("$work"/*.deb)
((${#packages[@]} == 1)) || die "not one package: ${packages[*]}"
package=${packages[0]}
[[ -z $keep ]] || cp "$package" "$keep"

field() { dpkg-deb --field "$package" "$1"; }
needs() { [[ $(field "$1") == *"$2"* ]] || die "$1 has no $2: $(field "$1")"; }
[[ $(field Architecture) == "$(dpkg --print-architecture)" ]] || die "Architecture: $(field Architecture)"
version=$(sed -nE 's/^project\(ordeal VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
[[ $(field Version) == "$version" ]] || die "Version: $(field Version)"
for each in libboost-context libdw1 libelf1 libfmt libstdc++6 libc6 'clang-19 | g++' cmake; do needs Depends "$each"; done
! field Depends | sed 's/libclang-rt-[0-9]*-dev//' | grep -q -- '-dev' || die "needs headers of others: $(field Depends)"
if command -v lintian >/dev/null && [[ $compression == xz ]]; then
    lintian --allow-root --fail-on error,warning "$package" || die "lintian has objections"
fi

cp -r tests/package "$work/projects"
# What runs in the other root: inside.sh COMPILER [PARTS]
cat >"$work/inside.sh" <<'END'
set -euo pipefail
cd /ordeal-test
cp -r projects "with_$1"
if [[ -n ${2-} ]]; then export PARTS=$2; fi
CXX=$1 "with_$1/use.sh" "/ordeal-test/with_$1"
END

# in_view: what this system is, with the package installed by dpkg, and this project and its build gone.
in_view() {
    mkdir "$work/view"
    unshare --mount bash -euo pipefail -c '
        work=$1; view=$1/view; shift
        mount -t tmpfs none "$view"
        mkdir "$view/upper" "$view/scratch" "$view/root"
        mount -t overlay overlay -o "lowerdir=/,upperdir=$view/upper,workdir=$view/scratch" "$view/root"
        for hidden in "$@"; do
            [[ ! -d $view/root$hidden ]] || mount -t tmpfs none "$view/root$hidden"
        done
        for each in dev proc sys; do mount --rbind "/$each" "$view/root/$each"; done
        mount -t tmpfs none "$view/root/tmp"
        mkdir "$view/root/ordeal-test"
        cp -r "$work/projects" "$work/inside.sh" "$work"/*.deb "$view/root/ordeal-test"
        # Without triggers: to index the manual pages of the whole system anew takes longer than all else, and is not asked for.
        chroot "$view/root" bash -c "dpkg --force-depends --force-unsafe-io --no-triggers -i /ordeal-test/*.deb >/ordeal-test/log 2>&1 ||
            { cat /ordeal-test/log >&2; exit 1; }"
        chroot "$view/root" bash /ordeal-test/inside.sh clang++-19
        if command -v g++ >/dev/null; then chroot "$view/root" bash /ordeal-test/inside.sh g++ "coro trial"; fi
    ' bash "$work" "$@"
}

# unpacked: where no view can be had.
unpacked() {
    say "no private view of this system here (that needs root): the package is unpacked and used from there, with the project in sight"
    dpkg-deb --extract "$package" "$work/root"
    "$work/projects/use.sh" "$work/projects" "$work/root/usr"
}

# in_debian: installs the suite into a folder, and the package in that, with what it depends on.
in_debian() {
    local root=$work/root began=$SECONDS target repository component
    ((EUID == 0)) || die "--debootstrap needs root"
    command -v debootstrap >/dev/null || die "--debootstrap needs the package debootstrap"
    # From where apt gets this system.
    apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        awk '$1 == "Debian" && $4 == "main"' | sort -u >"$work/targets"
    local own
    own=$(. /etc/os-release && echo "$VERSION_CODENAME")
    suite=${suite:-$own}
    repository=$(awk -v own="$own" '$3 == own {print $2; exit}' "$work/targets")
    [[ -n $repository ]] || die "apt has no index of $own here: apt-get update"
    say "debootstrap: $suite"
    debootstrap --variant=minbase "$suite" "$root" "$repository" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; die "debootstrap failed"; }
    while read -r _ repository target component; do
        echo "deb $repository ${target/#$own/$suite} $component"
    done <"$work/targets" >"$root/etc/apt/sources.list"
    mkdir "$root/ordeal-test"
    cp -r "$work/projects" "$work/inside.sh" "$package" "$root/ordeal-test"
    say "root of $suite: $((SECONDS - began)) s"
    began=$SECONDS
    # Its own mounts, which end with it.
    unshare --mount --pid --fork bash -euo pipefail -c '
        root=$1
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        cp /etc/resolv.conf "$root/etc/resolv.conf"
        export DEBIAN_FRONTEND=noninteractive
        apt() { chroot "$root" apt-get -qq -o Dpkg::Use-Pty=0 "$@" >"$root/ordeal-test/log" 2>&1 || { tail -n 20 "$root/ordeal-test/log" >&2; exit 1; }; }
        apt update
        apt install --yes --no-install-recommends "$(cd "$root" && ls ordeal-test/*.deb | sed "s|^|/|")"
        printf "%s\n" "== installed, after $SECONDS s" >&2
        chroot "$root" bash /ordeal-test/inside.sh clang++-19
        printf "%s\n" "== used, after $SECONDS s" >&2
        # What it depends on has an alternative, and what it recommends is recommended for something.
        apt install --yes --no-install-recommends g++ pkg-config man-db
        chroot "$root" bash /ordeal-test/inside.sh g++ "pkgconfig shell trial harness"
    ' bash "$root"
    say "from the package to all that was tried: $((SECONDS - began)) s"
}

case $way in
    debootstrap) in_debian ;;
    view)
        if ((EUID == 0)) && unshare --mount true 2>/dev/null && [[ $PWD != / ]]; then
            in_view "$PWD" "$folder"
        else
            unpacked
        fi ;;
esac
