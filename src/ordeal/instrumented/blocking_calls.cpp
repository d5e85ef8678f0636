// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads that may wait for another process, or for another thread in a way that the model does not see: from pipes,
// sockets, terminals, event descriptors. They end the search by name, at once. Files are read as ever.
#include "ordeal/instrumented/blocking_calls.hpp"

#include "ordeal/instrumented/caller_accesses.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>

namespace ordeal {

namespace {

// Of devices, those that always answer, and always the same.
bool answers_at_once(const struct stat& about) noexcept {
    constexpr unsigned memory_devices = 1;
    constexpr unsigned null_device = 3;
    constexpr unsigned zero_device = 5;
    if (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode) || S_ISBLK(about.st_mode)) return true;
    if (!S_ISCHR(about.st_mode) || major(about.st_rdev) != memory_devices) return false;
    return minor(about.st_rdev) == null_device || minor(about.st_rdev) == zero_device;
}

}  // namespace

bool may_wait(int file) noexcept {
    const int error = errno;
    struct stat about{};
    const bool waits = fstat(file, &about) == 0 && !answers_at_once(about);
    errno = error;
    return waits;
}

}  // namespace ordeal

// NOLINTBEGIN(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp)
#define ORDEAL_WAITS(result, name, parameters, arguments) \
    result __wrap_##name parameters { \
        ordeal::refused_on_trial("the function " #name); \
        return name arguments; \
    }
#define ORDEAL_READS(result, name, file, parameters, arguments) \
    result __wrap_##name parameters { \
        ordeal::refuse_if_it_blocks(file, "the function " #name ", but for files,"); \
        return name arguments; \
    }

extern "C" {

ssize_t __wrap_read(int file, void* to, size_t size) {
    ordeal::refuse_if_it_blocks(file, "the function read, but for files,");
    const ordeal::caller_accesses caller = ordeal::accesses_of_caller("read");
    const ssize_t got = read(file, to, size);
    if (got > 0) caller.writes(to, static_cast<size_t>(got));
    return got;
}
ssize_t __wrap_readv(int file, const iovec* to, int count) {
    ordeal::refuse_if_it_blocks(file, "the function readv, but for files,");
    const ordeal::caller_accesses caller = ordeal::accesses_of_caller("readv");
    const ssize_t got = readv(file, to, count);
    auto left = static_cast<size_t>(got > 0 ? got : 0);
    for (int i = 0; i < count && left > 0; ++i) {
        const size_t here = std::min(left, to[i].iov_len);
        caller.reads(&to[i], sizeof to[i]);
        caller.writes(to[i].iov_base, here);
        left -= here;
    }
    return got;
}
ssize_t __wrap_getline(char** to, size_t* size, std::FILE* stream) {
    ordeal::refuse_if_it_blocks(fileno(stream), "the function getline, but for files,");
    const ordeal::caller_accesses caller = ordeal::accesses_of_caller("getline");
    const ssize_t got = getline(to, size, stream);
    caller.writes(static_cast<void*>(to), sizeof *to);
    caller.writes(size, sizeof *size);
    return got;
}
ORDEAL_READS(int, fgetc, fileno(stream), (std::FILE * stream), (stream))
ORDEAL_READS(int, getc, fileno(stream), (std::FILE * stream), (stream))
ORDEAL_READS(int, getchar, STDIN_FILENO, (), ())

ORDEAL_WAITS(ssize_t, recv, (int socket, void* to, size_t size, int flags), (socket, to, size, flags))
ORDEAL_WAITS(ssize_t, recvfrom, (int socket, void* to, size_t size, int flags, sockaddr* from, socklen_t* from_size),
             (socket, to, size, flags, from, from_size))
ORDEAL_WAITS(ssize_t, recvmsg, (int socket, msghdr* message, int flags), (socket, message, flags))
ORDEAL_WAITS(int, accept, (int socket, sockaddr* from, socklen_t* size), (socket, from, size))
ORDEAL_WAITS(int, accept4, (int socket, sockaddr* from, socklen_t* size, int flags), (socket, from, size, flags))
ORDEAL_WAITS(int, connect, (int socket, const sockaddr* to, socklen_t size), (socket, to, size))
ORDEAL_WAITS(int, eventfd_read, (int file, eventfd_t* value), (file, value))
ORDEAL_WAITS(ssize_t, msgrcv, (int queue, void* to, size_t size, long kind, int flags), (queue, to, size, kind, flags))
ORDEAL_WAITS(int, ppoll, (pollfd * files, nfds_t count, const timespec* time, const sigset_t* signals),
             (files, count, time, signals))
ORDEAL_WAITS(int, pselect,
             (int count, fd_set* read, fd_set* write, fd_set* except, const timespec* time, const sigset_t* signals),
             (count, read, write, except, time, signals))
ORDEAL_WAITS(int, epoll_pwait, (int file, epoll_event* events, int count, int time, const sigset_t* signals),
             (file, events, count, time, signals))
ORDEAL_WAITS(int, sigwaitinfo, (const sigset_t* which, siginfo_t* about), (which, about))
ORDEAL_WAITS(int, waitid, (idtype_t kind, id_t which, siginfo_t* about, int options), (kind, which, about, options))

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp)
