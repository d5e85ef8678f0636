// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that the model lacks. A call on trial ends the search, and the verdict names the function; before main they
// work as usual.
#include "ordeal/instrumented/caller/caller_accesses.hpp"

#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>

// NOLINTBEGIN(bugprone-reserved-identifier, cert-env33-c, concurrency-mt-unsafe)
#define ORDEAL_REFUSED(result, name, parameters, arguments) \
    result __wrap_##name parameters { \
        ordeal::detail::refused_on_trial("the function " #name); \
        return name arguments; \
    }
// These have variable arguments, which cannot be forwarded.
#define ORDEAL_REFUSED_LIST(name) \
    int __wrap_##name(const char* /*path*/, ...) { \
        ordeal::detail::refused_on_trial("the function " #name); \
        errno = ENOSYS; \
        return -1; \
    }

extern "C" {

// At the end of the thread libstdc++ itself would store to the state that the future waits on, uninstrumented.
void ordeal_make_ready(void* state) asm("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv");
void __wrap__ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(void* state) {
    ordeal::detail::refused_on_trial("a future that is made ready at the exit of a thread");
    ordeal_make_ready(state);
}

// One half of the reference counting of such an iterator's state is in libstdc++'s shared library, the other half here:
// neither would see the other's operations.
#define ORDEAL_REFUSED_ITERATOR(name, symbol) \
    void ordeal_##symbol(void*, const void*, unsigned char, void*) asm(#symbol); \
    void __wrap_##symbol(void* self, const void* path, unsigned char options, void* error) { \
        ordeal::detail::refused_on_trial(name); \
        ordeal_##symbol(self, path, options, error); \
    }
ORDEAL_REFUSED_ITERATOR(
    "std::filesystem::directory_iterator",
    _ZNSt10filesystem7__cxx1118directory_iteratorC1ERKNS0_4pathENS_17directory_optionsEPSt10error_code)
ORDEAL_REFUSED_ITERATOR(
    "std::filesystem::directory_iterator",
    _ZNSt10filesystem7__cxx1118directory_iteratorC2ERKNS0_4pathENS_17directory_optionsEPSt10error_code)
ORDEAL_REFUSED_ITERATOR(
    "std::filesystem::recursive_directory_iterator",
    _ZNSt10filesystem7__cxx1128recursive_directory_iteratorC1ERKNS0_4pathENS_17directory_optionsEPSt10error_code)
ORDEAL_REFUSED_ITERATOR(
    "std::filesystem::recursive_directory_iterator",
    _ZNSt10filesystem7__cxx1128recursive_directory_iteratorC2ERKNS0_4pathENS_17directory_optionsEPSt10error_code)

// Other processes.
ORDEAL_REFUSED(pid_t, fork, (), ())
// Its caller would continue in the frame of this function; for other code it is fork().
pid_t __wrap_vfork() {
    ordeal::detail::refused_on_trial("the function vfork");
    return fork();
}
ORDEAL_REFUSED(pid_t, _Fork, (), ())
int __wrap_clone(int (* /*function*/)(void*), void* /*stack*/, int /*flags*/, void* /*argument*/, ...) {
    ordeal::detail::refused_on_trial("the function clone");
    errno = ENOSYS;
    return -1;
}
ORDEAL_REFUSED(int, execv, (const char* path, char* const* arguments), (path, arguments))
ORDEAL_REFUSED(int, execve, (const char* path, char* const* arguments, char* const* environment),
               (path, arguments, environment))
ORDEAL_REFUSED(int, execvp, (const char* file, char* const* arguments), (file, arguments))
ORDEAL_REFUSED(int, execvpe, (const char* file, char* const* arguments, char* const* environment),
               (file, arguments, environment))
ORDEAL_REFUSED(int, fexecve, (int file, char* const* arguments, char* const* environment),
               (file, arguments, environment))
ORDEAL_REFUSED_LIST(execl)
ORDEAL_REFUSED_LIST(execle)
ORDEAL_REFUSED_LIST(execlp)
ORDEAL_REFUSED(int, posix_spawn,
               (pid_t * process, const char* path, const posix_spawn_file_actions_t* files,
                const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment),
               (process, path, files, attributes, arguments, environment))
ORDEAL_REFUSED(int, posix_spawnp,
               (pid_t * process, const char* path, const posix_spawn_file_actions_t* files,
                const posix_spawnattr_t* attributes, char* const* arguments, char* const* environment),
               (process, path, files, attributes, arguments, environment))
ORDEAL_REFUSED(int, system, (const char* command), (command))
ORDEAL_REFUSED(std::FILE*, popen, (const char* command, const char* mode), (command, mode))
ORDEAL_REFUSED(pid_t, wait, (int* status), (status))
ORDEAL_REFUSED(pid_t, wait3, (int* status, int options, rusage* used), (status, options, used))
ORDEAL_REFUSED(pid_t, wait4, (pid_t process, int* status, int options, rusage* used), (process, status, options, used))
ORDEAL_REFUSED(pid_t, waitpid, (pid_t process, int* status, int options), (process, status, options))

// Waiting for events outside the model.
ORDEAL_REFUSED(int, poll, (pollfd * files, nfds_t count, int time), (files, count, time))
ORDEAL_REFUSED(int, select, (int count, fd_set* read, fd_set* write, fd_set* except, timeval* time),
               (count, read, write, except, time))
ORDEAL_REFUSED(int, epoll_wait, (int file, epoll_event* events, int count, int time), (file, events, count, time))
ORDEAL_REFUSED(int, pause, (), ())
ORDEAL_REFUSED(int, sigwait, (const sigset_t* which, int* signal), (which, signal))

// Signals and timers; signal_handlers.cpp has handlers.
ORDEAL_REFUSED(int, raise, (int signal), (signal))
ORDEAL_REFUSED(int, kill, (pid_t process, int signal), (process, signal))
ORDEAL_REFUSED(unsigned, alarm, (unsigned seconds), (seconds))
ORDEAL_REFUSED(int, timer_create, (clockid_t clock, sigevent* how, timer_t* made), (clock, how, made))
ORDEAL_REFUSED(int, timerfd_create, (int clock, int flags), (clock, flags))
ORDEAL_REFUSED(unsigned, ualarm, (useconds_t time, useconds_t period), (time, period))
ORDEAL_REFUSED(int, getitimer, (__itimer_which_t which, itimerval* value), (which, value))
ORDEAL_REFUSED(int, setitimer, (__itimer_which_t which, const itimerval* value, itimerval* old), (which, value, old))

// Streams and descriptors of the harness, and a locale for one OS thread.
ORDEAL_REFUSED(std::FILE*, freopen, (const char* path, const char* mode, std::FILE* stream), (path, mode, stream))
[[gnu::alias("__wrap_freopen")]] std::FILE* __wrap_freopen64(const char* path, const char* mode, std::FILE* stream);
ORDEAL_REFUSED(int, close_range, (unsigned first, unsigned last, int flags), (first, last, flags))
ORDEAL_REFUSED(void, closefrom, (int first), (first))
ORDEAL_REFUSED(locale_t, uselocale, (locale_t given), (given))

// Limits and priorities of the process, which the harness has, too; and queues of it that would have to wait.
ORDEAL_REFUSED(int, clearenv, (), ())
ORDEAL_REFUSED(int, setrlimit, (__rlimit_resource_t which, const rlimit* limit), (which, limit))
ORDEAL_REFUSED(int, setpriority, (__priority_which_t which, id_t who, int value), (which, who, value))
ORDEAL_REFUSED(int, semop, (int set, sembuf* operations, size_t count), (set, operations, count))
ORDEAL_REFUSED(int, mq_send, (mqd_t queue, const char* from, size_t size, unsigned priority),
               (queue, from, size, priority))
ORDEAL_REFUSED(ssize_t, mq_receive, (mqd_t queue, char* to, size_t size, unsigned* priority),
               (queue, to, size, priority))

// Memory that an execution cannot have for itself; mapping_calls.cpp has what it can.
ORDEAL_REFUSED(int, mprotect, (void* where, size_t size, int protection), (where, size, protection))
ORDEAL_REFUSED(void*, shmat, (int segment, const void* where, int flags), (segment, where, flags))
ORDEAL_REFUSED(int, brk, (void* end), (end))
ORDEAL_REFUSED(void*, sbrk, (intptr_t more), (more))
void* __wrap_mremap(void* where, size_t size, size_t new_size, int flags, ...) {
    ordeal::detail::refused_on_trial("the function mremap");
    return mremap(where, size, new_size, flags);
}

// Stacks that the code on trial creates itself.
ORDEAL_REFUSED(int, swapcontext, (ucontext_t * from, const ucontext_t* to), (from, to))
ORDEAL_REFUSED(int, setcontext, (const ucontext_t* to), (to))

// Rare parts of <pthread.h>.
ORDEAL_REFUSED(int, pthread_cancel, (pthread_t thread), (thread))
ORDEAL_REFUSED(int, pthread_kill, (pthread_t thread, int signal), (thread, signal))
ORDEAL_REFUSED(int, pthread_atfork, (void (*before)(), void (*in_parent)(), void (*in_child)()),
               (before, in_parent, in_child))
ORDEAL_REFUSED(int, pthread_tryjoin_np, (pthread_t thread, void** result), (thread, result))
ORDEAL_REFUSED(int, pthread_timedjoin_np, (pthread_t thread, void** result, const timespec* until),
               (thread, result, until))
ORDEAL_REFUSED(int, pthread_getattr_np, (pthread_t thread, pthread_attr_t* attributes), (thread, attributes))
ORDEAL_REFUSED(int, pthread_getcpuclockid, (pthread_t thread, clockid_t* clock), (thread, clock))
ORDEAL_REFUSED(int, pthread_getname_np, (pthread_t thread, char* name, size_t size), (thread, name, size))

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier, cert-env33-c, concurrency-mt-unsafe)
