// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/process_state/process_changes.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/snapshot.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio_ext.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <clocale>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ordeal::detail {

namespace {

constexpr int most_descriptors = first_descriptor_of_harness;

struct open_descriptor {
    int number = -1;
    off_t position = -1;  // -1: none
};

struct open_stream {
    std::FILE* which = nullptr;
    int descriptor = -1;
    off_t position = -1;
    bool restore = false;  // its position is that of its descriptor
};

struct options_of_main {
    int next = 0;
    int shows_errors = 0;
    int wrong = 0;
    char* argument = nullptr;
};

struct process_as_it_was {
    std::vector<open_descriptor> common;  // files inherited by all processes of a search
    pid_t has_own = 0;                    // the process that has opened those for itself
    std::uint64_t changes = 0;            // of this execution; 0: none yet
    std::vector<open_descriptor> descriptors;
    std::vector<open_stream> streams;
    std::array<int, 3> standard{-1, -1, -1};  // duplicates of those that may have been closed
    std::array<char, PATH_MAX> directory{};
    mode_t mask_of_files = 0;
    std::string locale;
    options_of_main options;
};

process_as_it_was& was() {
    static auto& instance = *new process_as_it_was;  // never destroyed: exit handlers may still change something
    return instance;
}

// One system call instead of many.
template <class Do>
void for_each_descriptor(Do what) {
    static std::array<pollfd, most_descriptors> all;
    for (int i = 0; i < most_descriptors; ++i) all[static_cast<std::size_t>(i)] = {i, 0, 0};
    if (::poll(all.data(), all.size(), 0) < 0) return;
    for (const pollfd& each : all) {
        if ((each.revents & POLLNVAL) == 0) what(each.fd);
    }
}

// The C library keeps them in a list.
template <class Do>
void for_each_stream(Do what) {
    static auto* const first = static_cast<std::FILE**>(::dlsym(RTLD_DEFAULT, "_IO_list_all"));
    if (first == nullptr) return;
    for (std::FILE *each = *first, *next = nullptr; each != nullptr; each = next) {
        next = each->_chain;
        what(each);
    }
}

bool is_standard(const std::FILE* which) noexcept { return which == stdin || which == stdout || which == stderr; }

options_of_main options_now() noexcept { return {optind, opterr, optopt, optarg}; }

// Processes that inherit a file from one parent share its position.
void open_for_itself(const open_descriptor& file) {
    const int how = ::fcntl(file.number, F_GETFL);
    const int flags = ::fcntl(file.number, F_GETFD);
    if (how < 0 || flags < 0) return;
    const std::string name = "/proc/self/fd/" + std::to_string(file.number);
    const int own = ::open(name.c_str(), (how & ~(O_CREAT | O_EXCL | O_TRUNC)) | O_CLOEXEC);
    if (own < 0) return;
    (void)::dup3(own, file.number, (flags & FD_CLOEXEC) != 0 ? O_CLOEXEC : 0);
    ::close(own);
    (void)::lseek(file.number, file.position, SEEK_SET);
}

void take_note_of_all(process_as_it_was& all) {
    if (std::exchange(all.has_own, ::getpid()) != ::getpid()) std::ranges::for_each(all.common, open_for_itself);
    all.descriptors.clear();
    for_each_descriptor([&](int each) { all.descriptors.push_back({each, ::lseek(each, 0, SEEK_CUR)}); });
    all.streams.clear();
    for_each_stream([&](std::FILE* each) {
        const bool standard = is_standard(each);
        all.streams.push_back({each, standard ? -1 : ::fileno(each), standard ? -1 : ::ftello(each)});
    });
    if (::getcwd(all.directory.data(), all.directory.size()) == nullptr) all.directory[0] = '\0';
    all.mask_of_files = ::umask(0);
    ::umask(all.mask_of_files);
    const char* const locale = std::setlocale(LC_ALL, nullptr);
    all.locale = locale == nullptr ? "C" : locale;
    all.options = options_now();
}

// Discards their buffers, which belong to a finished execution.
void end_streams(process_as_it_was& all) {
    for_each_stream([&](std::FILE* each) {
        const auto known = std::ranges::find(all.streams, each, &open_stream::which);
        if (known == all.streams.end()) {
            if (::fileno(each) < 0) return;  // of memory, which no longer exists
            ::__fpurge(each);
            std::fclose(each);
        } else if (known->position >= 0 && ::ftello(each) != known->position) {
            (void)::fseeko(each, known->position, SEEK_SET);
            (void)std::fflush(each);
            known->restore = true;
        }
    });
}

// The harness's output continues at its position; a stream has restored its own.
void end_descriptors(process_as_it_was& all) {
    for (std::size_t i = 0; i < all.standard.size(); ++i) {
        int& duplicate = all.standard[i];
        if (duplicate == -1) continue;
        (void)::dup2(duplicate, static_cast<int>(i));
        ::close(std::exchange(duplicate, -1));
    }
    const auto is_of_another = [&](const open_descriptor& each) {
        return each.number == STDOUT_FILENO || each.number == STDERR_FILENO ||
               std::ranges::any_of(all.streams, [&](const open_stream& stream) {
                   return stream.restore && stream.descriptor == each.number;
               });
    };
    for_each_descriptor([&](int each) {
        const auto known = std::ranges::find(all.descriptors, each, &open_descriptor::number);
        if (known == all.descriptors.end()) {
            ::close(each);
        } else if (known->position >= 0 && !is_of_another(*known) && ::lseek(each, 0, SEEK_CUR) != known->position) {
            (void)::lseek(each, known->position, SEEK_SET);
        }
    });
}

// getopt's position within an argument is in an unnamed variable: it is reset by starting a scan.
void begin_options(const options_of_main& before) {
    std::array<char, 1> name{};
    std::array<char*, 2> arguments{name.data(), nullptr};
    optind = 0;
    (void)!::getopt(1, arguments.data(), "");
    optind = before.next;
    opterr = before.shows_errors;
    optopt = before.wrong;
    optarg = before.argument;
}

}  // namespace

void process_changes::note_open_files() {
    for_each_descriptor([](int each) {
        const off_t position = each <= STDERR_FILENO ? -1 : ::lseek(each, 0, SEEK_CUR);
        if (position >= 0) was().common.push_back({each, position});
    });
}

void process_changes::note() {
    process_as_it_was& all = was();
    if (all.changes++ != 0) return;
    const harness_scope harness;
    const int error = errno;
    take_note_of_all(all);
    errno = error;
}

bool process_changes::may_close(int descriptor) {
    note();
    process_as_it_was& all = was();
    const bool known =
        std::ranges::find(all.descriptors, descriptor, &open_descriptor::number) != all.descriptors.end();
    if (!known) return true;
    if (descriptor > STDERR_FILENO) return false;
    int& duplicate = all.standard[static_cast<std::size_t>(descriptor)];
    if (duplicate == -1) duplicate = ::fcntl(descriptor, F_DUPFD_CLOEXEC, first_descriptor_of_harness);
    return duplicate != -1;
}

bool process_changes::may_close(const std::FILE* stream) {
    note();
    return std::ranges::find(was().streams, stream, &open_stream::which) == was().streams.end();
}

void process_changes::undo() noexcept {
    process_as_it_was& all = was();
    if (all.changes == 0) return;
    all.changes = 0;
    const harness_scope harness;
    end_streams(all);
    end_descriptors(all);
    std::array<char, PATH_MAX> now{};
    if (::getcwd(now.data(), now.size()) == nullptr || now != all.directory) (void)!::chdir(all.directory.data());
    ::umask(all.mask_of_files);
    if (std::setlocale(LC_ALL, nullptr) != all.locale) std::setlocale(LC_ALL, all.locale.c_str());
    begin_options(all.options);
}

void process_changes::save(snapshot& to) {
    if (was().changes != 0) to.mark_incomplete();
}
void process_changes::restore(snapshot& /*from*/) { undo(); }

std::uint64_t process_changes::fingerprint() noexcept { return was().changes; }

}  // namespace ordeal::detail
