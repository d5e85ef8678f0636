// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads that may wait for another process, or for another thread in a way that the model does not see: from pipes,
// sockets, terminals, event descriptors. They end the search by name, at once. Files are read as ever.
#include "ordeal/instrumented/compiler_calls.hpp"

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

#include <csignal>
#include <cstdio>

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

// A descriptor that is none fails at once.
[[gnu::always_inline]] inline void refuse_if_it_blocks(int file, const char* function) {
    if (ordeal::current() == nullptr) return;
    const int error = errno;
    struct stat about{};
    const bool blocks = fstat(file, &about) == 0 && !answers_at_once(about);
    errno = error;
    if (blocks) ordeal::refused_on_trial(function);
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp)
#define ORDEAL_WAITS(result, name, parameters, arguments) \
    result __wrap_##name parameters { \
        ordeal::refused_on_trial("the function " #name); \
        return name arguments; \
    }
#define ORDEAL_READS(result, name, file, parameters, arguments) \
    result __wrap_##name parameters { \
        refuse_if_it_blocks(file, "the function " #name ", but for files,"); \
        return name arguments; \
    }

extern "C" {

ORDEAL_READS(ssize_t, read, file, (int file, void* to, size_t size), (file, to, size))
ORDEAL_READS(ssize_t, readv, file, (int file, const iovec* to, int count), (file, to, count))
ORDEAL_READS(int, fgetc, fileno(stream), (std::FILE * stream), (stream))
ORDEAL_READS(int, getc, fileno(stream), (std::FILE * stream), (stream))
ORDEAL_READS(int, getchar, STDIN_FILENO, (), ())
ORDEAL_READS(char*, fgets, fileno(stream), (char* to, int size, std::FILE* stream), (to, size, stream))
ORDEAL_READS(size_t, fread, fileno(stream), (void* to, size_t size, size_t count, std::FILE* stream),
             (to, size, count, stream))
ORDEAL_READS(ssize_t, getline, fileno(stream), (char** to, size_t* size, std::FILE* stream), (to, size, stream))

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
