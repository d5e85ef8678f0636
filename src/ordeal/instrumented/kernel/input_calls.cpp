// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other functions that read or write and may block, or reach the end of a stream: characters and wide text of C
// streams, and those that libstdc++ calls for std::cin and for files.
#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/real_function.hpp"
#include "ordeal/instrumented/kernel/blocking_calls.hpp"
#include "ordeal/instrumented/process_state/global_state.hpp"
#include "ordeal/instrumented/process_state/process_changes.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cwchar>
#include <span>

namespace ordeal::detail {

namespace {

constinit real_function<ssize_t(int, void*, std::size_t)> real_read("read");
constinit real_function<ssize_t(int, const void*, std::size_t)> real_write("write");
constinit real_function<ssize_t(int, const iovec*, int)> real_writev("writev");
constinit real_function<int(std::FILE*)> real_getc("getc");
constinit real_function<std::wint_t(std::FILE*)> real_getwc("getwc");
constinit real_function<std::size_t(void*, std::size_t, std::size_t, std::FILE*)> real_fread("fread");
constinit real_function<int(std::FILE*)> real_fclose("fclose");

// The harness itself reads and writes while code on trial runs, and its own calls need no check.
bool calls_for_trial(const code_location& at) { return runtime_on_trial() != nullptr && !is_in_program(at.address); }

void refuse_library(const code_location& at, const char* what) {
    if (instrumented_runtime* const runtime = runtime_on_trial()) runtime->refuse(what, plain_code_site(at));
}

void refuse_read_of_library(const code_location& at, int file) {
    if (!calls_for_trial(at)) return;
    if (may_wait(file)) refuse_library(at, "a read by a function of a library, but for files,");
    if (instrumented_runtime* const runtime = runtime_on_trial()) use_descriptors(*runtime, at);
}

void refuse_write_of_library(const code_location& at, int file, std::size_t size) {
    if (!calls_for_trial(at) || is_printed(file)) return;
    if (may_wait_for_room(file, size)) refuse_library(at, "a write by a function of a library, where it would wait,");
    if (instrumented_runtime* const runtime = runtime_on_trial()) use_descriptors(*runtime, at);
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp, readability-identifier-naming)
#define ORDEAL_READS(result, name, file, parameters, arguments) \
    result __wrap_##name parameters { \
        refuse_if_it_blocks(file, "the function " #name ", but for files,"); \
        return name arguments; \
    }
#define ORDEAL_WRITES(name, parameters, arguments) \
    int __wrap_##name parameters { \
        refuse_without_room(stream, 1, "the function " #name ", where it would wait,"); \
        return name arguments; \
    }

extern "C" {

int __uflow(std::FILE* stream);
char* __fgets_chk(char* to, std::size_t there, int room, std::FILE* stream);
std::size_t __fread_chk(void* to, std::size_t there, std::size_t size, std::size_t count, std::FILE* stream);
ssize_t __read_chk(int file, void* to, std::size_t size, std::size_t there);

ORDEAL_READS(int, fgetc, fileno(stream), (std::FILE * stream), (stream))
ORDEAL_READS(int, getc, fileno(stream), (std::FILE * stream), (stream))
ORDEAL_READS(int, getchar, STDIN_FILENO, (), ())
ORDEAL_READS(int, fgetc_unlocked, fileno(stream), (std::FILE * stream), (stream))
ORDEAL_READS(int, getc_unlocked, fileno(stream), (std::FILE * stream), (stream))
ORDEAL_READS(int, getchar_unlocked, STDIN_FILENO, (), ())
ORDEAL_READS(int, __uflow, fileno(stream), (std::FILE * stream), (stream))
ORDEAL_READS(std::wint_t, fgetwc, fileno(stream), (std::FILE * stream), (stream))
ORDEAL_READS(std::wint_t, getwc, fileno(stream), (std::FILE * stream), (stream))
ORDEAL_READS(std::wint_t, getwchar, STDIN_FILENO, (), ())

ORDEAL_WRITES(fputc, (int value, std::FILE* stream), (value, stream))
ORDEAL_WRITES(putc, (int value, std::FILE* stream), (value, stream))

// Null means all streams.
int __wrap_fflush(std::FILE* stream) {
    if (stream != nullptr) refuse_without_room(stream, 1, "the function fflush, where it would wait,");
    return fflush(stream);
}

wchar_t* __wrap_fgetws(wchar_t* to, int room, std::FILE* stream) {
    refuse_if_it_blocks(fileno(stream), "the function fgetws, but for files,");
    const caller_accesses caller = accesses_of_caller("fgetws");
    wchar_t* const got = std::fgetws(to, room, stream);
    if (got != nullptr) caller.writes(got, (std::wcslen(got) + 1) * sizeof(wchar_t));
    return got;
}
ssize_t __wrap_getdelim(char** to, std::size_t* size, int delimiter, std::FILE* stream) {
    refuse_if_it_blocks(fileno(stream), "the function getdelim, but for files,");
    const caller_accesses caller = accesses_of_caller("getdelim");
    const ssize_t got = getdelim(to, size, delimiter, stream);
    caller.writes(static_cast<void*>(to), sizeof *to);
    caller.writes(size, sizeof *size);
    return got;
}
[[gnu::alias("__wrap_getdelim")]] ssize_t __wrap___getdelim(char** to, std::size_t* size, int delimiter,
                                                            std::FILE* stream);

// With _FORTIFY_SOURCE: `there` is the size available at `to`. They end the process if it is too small.
char* __wrap___fgets_chk(char* to, std::size_t there, int room, std::FILE* stream) {
    refuse_if_it_blocks(fileno(stream), "the function fgets, but for files,");
    const caller_accesses caller = accesses_of_caller("fgets");
    char* const got = __fgets_chk(to, there, room, stream);
    if (got != nullptr) caller.writes_text(got);
    return got;
}
std::size_t __wrap___fread_chk(void* to, std::size_t there, std::size_t size, std::size_t count, std::FILE* stream) {
    refuse_if_it_blocks(fileno(stream), "the function fread, but for files,");
    const caller_accesses caller = accesses_of_caller("fread");
    const std::size_t got = __fread_chk(to, there, size, count, stream);
    caller.writes(to, size * got);
    return got;
}
ssize_t __wrap___read_chk(int file, void* to, std::size_t size, std::size_t there) {
    refuse_if_it_blocks(file, "the function read, but for files,");
    const caller_accesses caller = accesses_of_caller("read");
    const ssize_t got = __read_chk(file, to, size, there);
    if (got > 0) caller.writes(to, static_cast<std::size_t>(got));
    return got;
}

// For the whole process. Under other names, since the C library may have inline versions of these.
ssize_t ordeal_read(int file, void* to, std::size_t size) asm("read");
ssize_t ordeal_read(int file, void* to, std::size_t size) {
    refuse_read_of_library(code_location_here("read"), file);
    if (runtime_on_trial() != nullptr) global_state::make_writable({reinterpret_cast<std::uintptr_t>(to), size});
    return real_read(file, to, size);
}
int ordeal_getc(std::FILE* stream) asm("getc");
int ordeal_getc(std::FILE* stream) {
    refuse_read_of_library(code_location_here("read"), fileno(stream));
    return real_getc(stream);
}
std::wint_t ordeal_getwc(std::FILE* stream) asm("getwc");
std::wint_t ordeal_getwc(std::FILE* stream) {
    refuse_read_of_library(code_location_here("read"), fileno(stream));
    return real_getwc(stream);
}
std::size_t ordeal_fread(void* to, std::size_t size, std::size_t count, std::FILE* stream) asm("fread");
std::size_t ordeal_fread(void* to, std::size_t size, std::size_t count, std::FILE* stream) {
    refuse_read_of_library(code_location_here("read"), fileno(stream));
    if (runtime_on_trial() != nullptr) {
        global_state::make_writable({reinterpret_cast<std::uintptr_t>(to), size * count});
    }
    return real_fread(to, size, count, stream);
}
// The destructor of a global, at the end of each execution, may close one of the process's streams, which cannot be
// reopened.
int ordeal_fclose(std::FILE* stream) asm("fclose");
int ordeal_fclose(std::FILE* stream) {
    const bool stays = calls_for_trial(code_location_here("close")) && !process_changes::may_close(stream);
    return stays ? std::fflush(stream) : real_fclose(stream);
}
ssize_t ordeal_write(int file, const void* from, std::size_t size) asm("write");
ssize_t ordeal_write(int file, const void* from, std::size_t size) {
    refuse_write_of_library(code_location_here("write"), file, size);
    return real_write(file, from, size);
}
ssize_t ordeal_writev(int file, const iovec* from, int count) asm("writev");
ssize_t ordeal_writev(int file, const iovec* from, int count) {
    const std::span all(from, static_cast<std::size_t>(std::max(count, 0)));
    refuse_write_of_library(code_location_here("write"), file, bytes_of(all));
    return real_writev(file, from, count);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp, readability-identifier-naming)

}  // namespace ordeal::detail
