// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of <cstring> and <cstdio> with sizes that the compiler knows, with _FORTIFY_SOURCE: a compiler that makes plain moves
// of them must tell what they access all the same.
#include "model_tests/plain/programs/programs.hpp"

#include <strings.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>

namespace ordeal::model_tests {

namespace {

struct text {
    char to[16] = "seven c";
    char from[16] = "seven c";
};

// The compiler knows the size of this object, and not that of one behind a pointer.
text known;

struct of_known_size {
    static text& it() { return known; }
};
struct of_unknown_size {
    std::unique_ptr<text> made = std::make_unique<text>();
    [[nodiscard]] text& it() const { return *made; }
};

// `What::call` accesses the byte that the other thread writes.
template <class What, class Object, bool Locked>
struct beside_a_write {
    static constexpr auto threads = std::array{"calls", "writes"};
    std::mutex mutex;
    Object object;

    void run(int thread) {
        std::unique_lock lock(mutex, std::defer_lock);
        if (Locked) lock.lock();
        if (thread == 0) {
            What::call(object.it());
        } else {
            What::byte(object.it()) = 'x';
        }
    }
};

template <class What, bool Freed>
struct of_freed_memory {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        auto* const all = new text;
        std::atomic<text*> known_to_others(all);
        if (Freed) delete all;
        What::call(*known_to_others.load());
        if (!Freed) delete all;
    }
};

// More than there is room for: the process ends.
template <std::size_t Size>
struct copies {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) {
        std::atomic<std::size_t> size(Size);
        meet();
        copy(size.load());
    }

private:
    [[gnu::noinline]] static void copy(std::size_t size) {
        char to[4]{};
        char* volatile seen = to;
        std::memcpy(to, known.from, size);
        require(seen[0] == 's');
    }
};

template <class Program>
using races = wrong<Program, violation_kind::data_race>;

// NOLINTBEGIN(bugprone-macro-parentheses): statements, the names of members and templates have none
#define ORDEAL_CALL(name, member, statement) \
    struct name##_##member { \
        static void call(text& all) { statement; } \
        static char& byte(text& all) { return all.member[0]; } \
    }; \
    ORDEAL_SCENARIO("fortified/" #name "_" #member "_unordered", \
                    races<beside_a_write<name##_##member, of_known_size, false>>); \
    ORDEAL_SCENARIO("fortified/" #name "_" #member "_locked", beside_a_write<name##_##member, of_known_size, true>)

// In addition, an object whose size the compiler does not know.
#define ORDEAL_MEMORY_CALL(name, member, statement) \
    ORDEAL_CALL(name, member, statement); \
    ORDEAL_SCENARIO("fortified/" #name "_" #member "_of_unknown_size_unordered", \
                    races<beside_a_write<name##_##member, of_unknown_size, false>>); \
    ORDEAL_SCENARIO("fortified/" #name "_" #member "_freed", \
                    wrong<of_freed_memory<name##_##member, true>, violation_kind::use_after_free>); \
    ORDEAL_SCENARIO("fortified/" #name "_" #member "_not_yet_freed", of_freed_memory<name##_##member, false>)
// NOLINTEND(bugprone-macro-parentheses)

ORDEAL_MEMORY_CALL(memcpy, to, std::memcpy(all.to, "twelve char", 8));
ORDEAL_MEMORY_CALL(memcpy, from, std::memcpy(all.to, all.from, 8));
ORDEAL_MEMORY_CALL(memcpy_whole, to, std::memcpy(all.to, all.from, sizeof all.to));
ORDEAL_MEMORY_CALL(memmove, to, std::memmove(all.to, all.from, 16));
ORDEAL_MEMORY_CALL(memmove, from, std::memmove(all.to, all.from, 4));
ORDEAL_MEMORY_CALL(memset, to, std::memset(all.to, 'y', 16));
ORDEAL_CALL(memset_some, to, std::memset(all.to, 0, 4));
ORDEAL_MEMORY_CALL(mempcpy, to, require(::mempcpy(all.to, all.from, 8) == all.to + 8));
ORDEAL_MEMORY_CALL(mempcpy, from, require(::mempcpy(all.to, all.from, 16) == all.to + 16));
ORDEAL_MEMORY_CALL(bcopy, to, ::bcopy(all.from, all.to, 16));
ORDEAL_MEMORY_CALL(bcopy, from, ::bcopy(all.from, all.to, 8));
ORDEAL_MEMORY_CALL(bzero, to, ::bzero(all.to, 16));
ORDEAL_CALL(strcpy, to, std::strcpy(all.to, "seven d"));
ORDEAL_CALL(strcpy, from, std::strcpy(all.to, all.from));
ORDEAL_CALL(stpcpy, to, require(*::stpcpy(all.to, "seven d") == '\0'));
ORDEAL_CALL(stpcpy, from, require(*::stpcpy(all.to, all.from) == '\0'));
ORDEAL_MEMORY_CALL(strncpy, to, std::strncpy(all.to, "seven d", 8));
ORDEAL_MEMORY_CALL(strncpy, from, std::strncpy(all.to, all.from, 16));
ORDEAL_CALL(strcat, to, std::strcat(all.to, "d"));
ORDEAL_CALL(strcat, from, std::strcat(all.to, all.from));
ORDEAL_CALL(strncat, to, std::strncat(all.to, "d", 1));
ORDEAL_CALL(strncat, from, std::strncat(all.to, all.from, 2));
ORDEAL_CALL(sprintf, to, std::sprintf(all.to, "abc"));
ORDEAL_CALL(sprintf, from, std::sprintf(all.to, "%s", all.from));
ORDEAL_CALL(snprintf, to, std::snprintf(all.to, 4, "abc"));
ORDEAL_CALL(snprintf, from, std::snprintf(all.to, 16, "%s", all.from));
ORDEAL_CALL(memcmp, from, require(std::memcmp(all.from, all.to, 8) == 0 || all.from[0] == 'x'));
ORDEAL_CALL(memcmp_short, from, require(std::memcmp(all.from, "abcd", 4) != 0));
ORDEAL_CALL(bcmp, from, require(::bcmp(all.from, "abcd", 4) != 0));
ORDEAL_CALL(strlen, from, require(std::strlen(all.from) == 7));
ORDEAL_CALL(strnlen, from, require(::strnlen(all.from, 4) == 4));
ORDEAL_CALL(strcmp, from, require(std::strcmp(all.from, "") != 0));
ORDEAL_CALL(strncmp, from, require(std::strncmp(all.from, "a", 1) != 0));
ORDEAL_CALL(memchr, from, require(std::memchr(all.from, 'c', 8) != nullptr));
ORDEAL_CALL(strchr, from, require(std::strchr(all.from, 'c') != nullptr));
ORDEAL_CALL(strrchr, from, require(std::strrchr(all.from, 'c') != nullptr));
ORDEAL_CALL(strstr, from, require(std::strstr(all.from, "c") != nullptr));

#undef ORDEAL_MEMORY_CALL
#undef ORDEAL_CALL

ORDEAL_SCENARIO("fortified/too_much_copied", wrong<copies<5>, violation_kind::crash>);
ORDEAL_SCENARIO("fortified/as_much_copied_as_there_is_room_for", copies<4>);

}  // namespace

}  // namespace ordeal::model_tests
