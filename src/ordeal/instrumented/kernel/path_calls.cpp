// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that use files by their paths, for the whole process, as libstdc++ calls them too. Calls of all threads on
// trial are totally ordered, every order is explored, and what an execution changes is undone at its end.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/instrumented/kernel/blocking_calls.hpp"
#include "ordeal/instrumented/kernel/time_calls.hpp"
#include "ordeal/instrumented/process_state/file_changes.hpp"
#include "ordeal/instrumented/process_state/global_state.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>

namespace ordeal::detail {

namespace {

using file_changes::kind;

constinit real_function<int(const char*, int, mode_t)> real_open("open");
constinit real_function<int(int, const char*, int, mode_t)> real_openat("openat");
constinit real_function<int(const char*, mode_t)> real_creat("creat");
constinit real_function<std::FILE*(const char*, const char*)> real_fopen("fopen");
constinit real_function<int(const char*, mode_t)> real_mkdir("mkdir");
constinit real_function<int(const char*)> real_rmdir("rmdir");
constinit real_function<int(const char*)> real_unlink("unlink");
constinit real_function<int(int, const char*, int)> real_unlinkat("unlinkat");
constinit real_function<int(const char*)> real_remove("remove");
constinit real_function<int(const char*, const char*)> real_rename("rename");
constinit real_function<int(const char*, const char*)> real_link("link");
constinit real_function<int(const char*, const char*)> real_symlink("symlink");
constinit real_function<int(const char*, off_t)> real_truncate("truncate");
constinit real_function<int(const char*, mode_t)> real_chmod("chmod");
constinit real_function<int(int, const char*, mode_t, int)> real_fchmodat("fchmodat");
constinit real_function<int(char*)> real_mkstemp("mkstemp");
constinit real_function<char*(char*)> real_mkdtemp("mkdtemp");
constinit real_function<int(const char*, struct stat*)> real_stat("stat");
constinit real_function<int(const char*, struct stat*)> real_lstat("lstat");
constinit real_function<int(int, const char*, struct stat*, int)> real_fstatat("fstatat");
constinit real_function<int(int, struct stat*)> real_fstat("fstat");
constinit real_function<int(const char*, int)> real_access("access");
constinit real_function<int(const char*, int, mode_t)> real_shm_open("shm_open");
constinit real_function<int(const char*)> real_shm_unlink("shm_unlink");
constinit real_function<int(int, int)> real_flock("flock");
constinit real_function<int(int, int, off_t)> real_lockf("lockf");

/// A call by code on trial, or by a library that it has called.
class path_call {
public:
    path_call(const char* function, const code_location& at) : function_(function), at_(at) {
        instrumented_runtime* const runtime = runtime_on_trial();
        // The harness itself uses files while code on trial runs; a framework's are not on trial.
        if (runtime == nullptr || is_in_program(at.address) || is_called_by_framework(at)) return;
        runtime_ = runtime;
        use_descriptors(*runtime, at);
        file_changes::begin_use();
        const harness_scope harness;
        runtime->note_limit(std::string(function) + " uses a file, which other processes may change",
                            plain_code_site(at));
    }

    void reads(const char* path) const {
        if (runtime_ == nullptr || path == nullptr || !is_trial_code(at_.address)) return;
        runtime_->read_bytes(range_at(path, std::strlen(path) + 1), at_);
    }
    void changes(int folder, const char* path, kind what) const {
        reads(path);
        if (runtime_ == nullptr || file_changes::may_change(folder, path, what)) return;
        refuse(", of what cannot be put back,");
    }
    void changes(const char* path, kind what) const { changes(AT_FDCWD, path, what); }
    void changes_shared_memory(const char* name) const {
        reads(name);
        if (runtime_ == nullptr || name == nullptr) return;
        std::array<char, PATH_MAX> path{};
        std::snprintf(path.data(), path.size(), "/dev/shm/%s", name + std::strspn(name, "/"));
        if (!file_changes::may_change(AT_FDCWD, path.data(), kind::content)) refuse(", of what cannot be put back,");
    }
    [[nodiscard]] bool on_trial() const noexcept { return runtime_ != nullptr; }
    void waits() const { refuse(", where it would wait,"); }
    void writes(void* to, std::size_t size) const {
        if (runtime_ == nullptr || to == nullptr) return;
        if (is_trial_code(at_.address)) runtime_->write_bytes(range_at(to, size), at_);
        // The kernel does not know of pages that are watched.
        global_state::make_writable({reinterpret_cast<std::uintptr_t>(to), size});
    }
    /// What a file says of its times is not later than the clock of the model, which real time is.
    void tell(struct stat* about) const {
        if (runtime_ == nullptr || about == nullptr) return;
        const timespec now = model_time::after(*runtime_, CLOCK_REALTIME, {});
        for (timespec* const each : {&about->st_atim, &about->st_mtim, &about->st_ctim}) {
            if (each->tv_sec >= now.tv_sec) *each = now;
        }
    }
    /// Of mkstemp() and its like, which write the name.
    void creates(const char* path) const {
        if (runtime_ != nullptr) file_changes::note_created(path);
    }

private:
    void refuse(const char* why) const {
        static std::array<char, 128> words;  // refuse() does not return
        std::snprintf(words.data(), words.size(), "the function %s%s", function_, why);
        runtime_->refuse(words.data(), plain_code_site(at_));
    }

    const char* function_;
    code_location at_;
    instrumented_runtime* runtime_ = nullptr;
};

bool changes_file(int flags) noexcept { return (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_ACCMODE) != O_RDONLY; }
bool changes_file(const char* mode) noexcept {
    return *mode != 'r' || std::string_view(mode).find('+') != std::string_view::npos;
}

mode_t mode_of(int flags, std::va_list& rest) {
    return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : 0;
}

}  // namespace

// NOLINTBEGIN(cert-dcl50-cpp, readability-identifier-naming)
#define ORDEAL_PATH_CALL(name) const path_call call(#name, code_location_here(#name))

extern "C" {

// Under other names, since the C library may have inline versions of these.
int ordeal_open(const char* path, int flags, ...) asm("open");
int ordeal_open(const char* path, int flags, ...) {
    std::va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_of(flags, rest);
    va_end(rest);
    ORDEAL_PATH_CALL(open);
    if (changes_file(flags)) {
        call.changes(path, kind::content);
    } else {
        call.reads(path);
    }
    return real_open(path, flags, mode);
}
int ordeal_open64(const char* path, int flags, ...) asm("open64");
[[gnu::alias("open")]] int ordeal_open64(const char* path, int flags, ...);

int ordeal_openat(int folder, const char* path, int flags, ...) asm("openat");
int ordeal_openat(int folder, const char* path, int flags, ...) {
    std::va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_of(flags, rest);
    va_end(rest);
    ORDEAL_PATH_CALL(openat);
    if (changes_file(flags)) {
        call.changes(folder, path, kind::content);
    } else {
        call.reads(path);
    }
    return real_openat(folder, path, flags, mode);
}
int ordeal_openat64(int folder, const char* path, int flags, ...) asm("openat64");
[[gnu::alias("openat")]] int ordeal_openat64(int folder, const char* path, int flags, ...);

int ordeal_creat(const char* path, mode_t mode) asm("creat");
int ordeal_creat(const char* path, mode_t mode) {
    ORDEAL_PATH_CALL(creat);
    call.changes(path, kind::content);
    return real_creat(path, mode);
}

std::FILE* ordeal_fopen(const char* path, const char* mode) asm("fopen");
std::FILE* ordeal_fopen(const char* path, const char* mode) {
    ORDEAL_PATH_CALL(fopen);
    call.reads(mode);
    if (changes_file(mode)) {
        call.changes(path, kind::content);
    } else {
        call.reads(path);
    }
    return real_fopen(path, mode);
}
std::FILE* ordeal_fopen64(const char* path, const char* mode) asm("fopen64");
[[gnu::alias("fopen")]] std::FILE* ordeal_fopen64(const char* path, const char* mode);

int mkdir(const char* path, mode_t mode) noexcept {
    ORDEAL_PATH_CALL(mkdir);
    call.changes(path, kind::entry);
    return real_mkdir(path, mode);
}
int rmdir(const char* path) noexcept {
    ORDEAL_PATH_CALL(rmdir);
    call.changes(path, kind::entry);
    return real_rmdir(path);
}
int unlink(const char* path) noexcept {
    ORDEAL_PATH_CALL(unlink);
    call.changes(path, kind::entry);
    return real_unlink(path);
}
int unlinkat(int folder, const char* path, int flags) noexcept {
    ORDEAL_PATH_CALL(unlinkat);
    call.changes(folder, path, kind::entry);
    return real_unlinkat(folder, path, flags);
}
int remove(const char* path) noexcept {
    ORDEAL_PATH_CALL(remove);
    call.changes(path, kind::entry);
    return real_remove(path);
}
int rename(const char* from, const char* to) noexcept {
    ORDEAL_PATH_CALL(rename);
    call.changes(from, kind::moved);
    call.changes(to, kind::entry);
    return real_rename(from, to);
}
int link(const char* from, const char* to) noexcept {
    ORDEAL_PATH_CALL(link);
    call.changes(from, kind::content);
    call.changes(to, kind::entry);
    return real_link(from, to);
}
int symlink(const char* target, const char* path) noexcept {
    ORDEAL_PATH_CALL(symlink);
    call.reads(target);
    call.changes(path, kind::entry);
    return real_symlink(target, path);
}
int truncate(const char* path, off_t size) noexcept {
    ORDEAL_PATH_CALL(truncate);
    call.changes(path, kind::content);
    return real_truncate(path, size);
}
[[gnu::alias("truncate")]] int truncate64(const char* path, off_t size) noexcept;
int chmod(const char* path, mode_t mode) noexcept {
    ORDEAL_PATH_CALL(chmod);
    call.changes(path, kind::content);
    return real_chmod(path, mode);
}
int fchmodat(int folder, const char* path, mode_t mode, int flags) noexcept {
    ORDEAL_PATH_CALL(fchmodat);
    call.changes(folder, path, kind::content);
    return real_fchmodat(folder, path, mode, flags);
}

int mkstemp(char* name) {
    ORDEAL_PATH_CALL(mkstemp);
    call.reads(name);
    call.writes(name, std::strlen(name));
    const int file = real_mkstemp(name);
    if (file >= 0) call.creates(name);
    return file;
}
[[gnu::alias("mkstemp")]] int mkstemp64(char* name);
char* mkdtemp(char* name) noexcept {
    ORDEAL_PATH_CALL(mkdtemp);
    call.reads(name);
    call.writes(name, std::strlen(name));
    char* const made = real_mkdtemp(name);
    if (made != nullptr) call.creates(name);
    return made;
}

int ordeal_stat(const char* path, struct stat* about) asm("stat");
int ordeal_stat(const char* path, struct stat* about) {
    ORDEAL_PATH_CALL(stat);
    call.reads(path);
    call.writes(about, sizeof *about);
    const int result = real_stat(path, about);
    if (result == 0) call.tell(about);
    return result;
}
int ordeal_lstat(const char* path, struct stat* about) asm("lstat");
int ordeal_lstat(const char* path, struct stat* about) {
    ORDEAL_PATH_CALL(lstat);
    call.reads(path);
    call.writes(about, sizeof *about);
    const int result = real_lstat(path, about);
    if (result == 0) call.tell(about);
    return result;
}
int ordeal_fstatat(int folder, const char* path, struct stat* about, int flags) asm("fstatat");
int ordeal_fstatat(int folder, const char* path, struct stat* about, int flags) {
    ORDEAL_PATH_CALL(fstatat);
    call.reads(path);
    call.writes(about, sizeof *about);
    const int result = real_fstatat(folder, path, about, flags);
    if (result == 0) call.tell(about);
    return result;
}
int ordeal_fstat(int file, struct stat* about) asm("fstat");
int ordeal_fstat(int file, struct stat* about) {
    if (runtime_on_trial() == nullptr) return real_fstat(file, about);
    ORDEAL_PATH_CALL(fstat);
    call.writes(about, sizeof *about);
    const int result = real_fstat(file, about);
    if (result == 0) call.tell(about);
    return result;
}
int access(const char* path, int how) noexcept {
    ORDEAL_PATH_CALL(access);
    call.reads(path);
    return real_access(path, how);
}

// Shared memory is a file, too.
int shm_open(const char* name, int flags, mode_t mode) {
    ORDEAL_PATH_CALL(shm_open);
    call.changes_shared_memory(name);
    return real_shm_open(name, flags, mode);
}
int shm_unlink(const char* name) {
    ORDEAL_PATH_CALL(shm_unlink);
    call.changes_shared_memory(name);
    return real_shm_unlink(name);
}

// Another thread may have the lock, which it gives back only if this one lets it.
int flock(int file, int operation) noexcept {
    ORDEAL_PATH_CALL(flock);
    if (!call.on_trial()) return real_flock(file, operation);
    const int result = real_flock(file, operation | LOCK_NB);
    if (result != 0 && errno == EWOULDBLOCK && (operation & LOCK_NB) == 0) call.waits();
    return result;
}
int lockf(int file, int command, off_t size) {
    ORDEAL_PATH_CALL(lockf);
    if (!call.on_trial() || command != F_LOCK) return real_lockf(file, command, size);
    const int result = real_lockf(file, F_TLOCK, size);
    if (result != 0 && (errno == EACCES || errno == EAGAIN)) call.waits();
    return result;
}

}  // extern "C"
// NOLINTEND(cert-dcl50-cpp, readability-identifier-naming)

}  // namespace ordeal::detail
