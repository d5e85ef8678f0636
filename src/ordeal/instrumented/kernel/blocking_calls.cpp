// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads that may block for another process, or for another thread outside the model: from pipes, sockets, terminals,
// event descriptors. They end the search by name, at once, and so do writes to something full. Files are read and
// written as usual.
#include "ordeal/instrumented/kernel/blocking_calls.hpp"

#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/process_state/library_state.hpp"

#include <poll.h>
#include <stdio_ext.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace ordeal::detail {

namespace {

// Among devices, those that always answer at once with the same data.
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

// A pipe reported as writable has room for this much; smaller writes are atomic.
bool may_wait_for_room(int file, std::size_t size) noexcept {
    if (is_printed(file) || !may_wait(file)) return false;
    const int error = errno;
    pollfd about{.fd = file, .events = POLLOUT, .revents = 0};
    const bool ready = poll(&about, 1, 0) == 1;
    errno = error;
    const bool fails = (about.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
    return !fails && (!ready || size > PIPE_BUF);
}

bool may_wait_for_room(std::FILE* stream, std::size_t size) noexcept {
    return may_wait_for_room(fileno(stream), size + __fpending(stream));
}

void use_descriptors(instrumented_runtime& runtime, const code_location& at) {
    process_changes::note();
    serialise_access_to(runtime, library_state::files, at);
}

std::size_t bytes_of(std::span<const iovec> all) noexcept {
    std::size_t size = 0;
    for (const iovec& each : all) size += each.iov_len;
    return size;
}

namespace {

// System calls that block for events outside the model, whatever their arguments.
const char* name_of_waiting(long number) noexcept {
    switch (number) {
        case SYS_recvfrom: return "the system call recvfrom";
        case SYS_recvmsg: return "the system call recvmsg";
        case SYS_recvmmsg: return "the system call recvmmsg";
        case SYS_sendmsg: return "the system call sendmsg";
        case SYS_sendmmsg: return "the system call sendmmsg";
        case SYS_accept: return "the system call accept";
        case SYS_accept4: return "the system call accept4";
        case SYS_connect: return "the system call connect";
        case SYS_msgrcv: return "the system call msgrcv";
        case SYS_msgsnd: return "the system call msgsnd";
        case SYS_semop: return "the system call semop";
        case SYS_semtimedop: return "the system call semtimedop";
        case SYS_ppoll: return "the system call ppoll";
        case SYS_pselect6: return "the system call pselect6";
        case SYS_epoll_pwait: return "the system call epoll_pwait";
        case SYS_wait4: return "the system call wait4";
        case SYS_waitid: return "the system call waitid";
        case SYS_rt_sigtimedwait: return "the system call rt_sigtimedwait";
#ifdef SYS_poll
        case SYS_poll: return "the system call poll";
        case SYS_select: return "the system call select";
        case SYS_epoll_wait: return "the system call epoll_wait";
        case SYS_pause: return "the system call pause";
#endif
        default: return nullptr;
    }
}

const char* name_of_blocking(long number, const long* arguments) {
    const int file = static_cast<int>(arguments[0]);
    const auto size = static_cast<std::size_t>(arguments[2]);
    switch (number) {
        case SYS_read: return may_wait(file) ? "the system call read, but for files," : nullptr;
        case SYS_readv: return may_wait(file) ? "the system call readv, but for files," : nullptr;
        case SYS_write: return may_wait_for_room(file, size) ? "the system call write, where it would wait," : nullptr;
        case SYS_sendto:
            return may_wait_for_room(file, size) ? "the system call sendto, where it would wait," : nullptr;
        case SYS_writev: return may_wait_for_room(file, 1) ? "the system call writev, where it would wait," : nullptr;
        default: return name_of_waiting(number);
    }
}

}  // namespace

void refuse_system_call_that_waits(instrumented_runtime& runtime, const code_location& at, long number,
                                   const long* arguments) {
    if (const char* const name = name_of_blocking(number, arguments)) runtime.refuse(name, plain_code_site(at));
}

// NOLINTBEGIN(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp)
#define ORDEAL_WAITS(result, name, parameters, arguments) \
    result __wrap_##name parameters { \
        refused_on_trial("the function " #name); \
        return name arguments; \
    }
#define ORDEAL_SENDS(result, name, size, parameters, arguments) \
    result __wrap_##name parameters { \
        refuse_without_room(file, size, "the function " #name ", where it would wait,"); \
        const caller_accesses caller = accesses_of_caller(#name); \
        const result sent = name arguments; \
        if (sent > 0) caller.reads(from, static_cast<size_t>(sent)); \
        return sent; \
    }

extern "C" {

ssize_t __wrap_read(int file, void* to, size_t size) {
    refuse_if_it_blocks(file, "the function read, but for files,");
    const caller_accesses caller = accesses_of_caller("read");
    const ssize_t got = read(file, to, size);
    if (got > 0) caller.writes(to, static_cast<size_t>(got));
    return got;
}
ssize_t __wrap_readv(int file, const iovec* to, int count) {
    refuse_if_it_blocks(file, "the function readv, but for files,");
    const caller_accesses caller = accesses_of_caller("readv");
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
ORDEAL_SENDS(ssize_t, write, size, (int file, const void* from, size_t size), (file, from, size))
ORDEAL_SENDS(ssize_t, send, size, (int file, const void* from, size_t size, int flags), (file, from, size, flags))
ORDEAL_SENDS(ssize_t, sendto, size,
             (int file, const void* from, size_t size, int flags, const sockaddr* to, socklen_t to_size),
             (file, from, size, flags, to, to_size))
ssize_t __wrap_writev(int file, const iovec* from, int count) {
    const std::span all(from, static_cast<size_t>(std::max(count, 0)));
    refuse_without_room(file, bytes_of(all), "the function writev, where it would wait,");
    const caller_accesses caller = accesses_of_caller("writev");
    caller.reads(from, all.size_bytes());
    for (const iovec& each : all) caller.reads(each.iov_base, each.iov_len);
    return writev(file, from, count);
}
ssize_t __wrap_getline(char** to, size_t* size, std::FILE* stream) {
    refuse_if_it_blocks(fileno(stream), "the function getline, but for files,");
    const caller_accesses caller = accesses_of_caller("getline");
    const ssize_t got = getline(to, size, stream);
    caller.writes(static_cast<void*>(to), sizeof *to);
    caller.writes(size, sizeof *size);
    return got;
}

ORDEAL_WAITS(ssize_t, recv, (int socket, void* to, size_t size, int flags), (socket, to, size, flags))
ORDEAL_WAITS(ssize_t, recvfrom, (int socket, void* to, size_t size, int flags, sockaddr* from, socklen_t* from_size),
             (socket, to, size, flags, from, from_size))
ORDEAL_WAITS(ssize_t, recvmsg, (int socket, msghdr* message, int flags), (socket, message, flags))
ORDEAL_WAITS(int, accept, (int socket, sockaddr* from, socklen_t* size), (socket, from, size))
ORDEAL_WAITS(int, accept4, (int socket, sockaddr* from, socklen_t* size, int flags), (socket, from, size, flags))
ORDEAL_WAITS(int, connect, (int socket, const sockaddr* to, socklen_t size), (socket, to, size))
ORDEAL_WAITS(int, eventfd_read, (int file, eventfd_t* value), (file, value))
ORDEAL_WAITS(ssize_t, sendmsg, (int socket, const msghdr* message, int flags), (socket, message, flags))
ORDEAL_WAITS(int, eventfd_write, (int file, eventfd_t value), (file, value))
ORDEAL_WAITS(int, msgsnd, (int queue, const void* from, size_t size, int flags), (queue, from, size, flags))
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

}  // namespace ordeal::detail
