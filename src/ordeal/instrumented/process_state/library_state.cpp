// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the C library that keep state between calls, called by code on trial, which is linked with --wrap.
#include "ordeal/instrumented/process_state/library_state.hpp"

#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/process_state/process_changes.hpp"
#include "ordeal/instrumented/process_state/static_memory.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/snapshot.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <clocale>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <optional>
#include <utility>

namespace ordeal::detail {

namespace {

constinit char* rest_of_tokens = nullptr;

// The old values of everything that an execution has changed.
struct changes {
    std::vector<std::pair<std::string, std::optional<std::string>>> variables;
};

changes& made_changes() {
    static auto& instance = *new changes;  // never destroyed: exit handlers may still change something
    return instance;
}

void note_change(const caller_accesses& caller, std::string_view name) {
    if (!caller.on_trial()) return;
    const harness_scope harness;
    std::string variable(name);
    const char* const before = std::getenv(variable.c_str());
    made_changes().variables.emplace_back(std::move(variable),
                                          before == nullptr ? std::nullopt : std::optional<std::string>(before));
}

// Variables that the C library reads: the time zone, and the user's locale.
void note_time_zone_read() { note_environment_read("TZ"); }
void note_locale_read(const char* name) {
    if (name == nullptr || *name != '\0') return;
    for (const char* const each : {"LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY",
                                   "LC_NUMERIC", "LC_TIME", "LOCPATH"}) {
        note_environment_read(each);
    }
}

void uses(const caller_accesses& caller, library_state which) { caller.writes(address_of(which), 1); }

void write_results(const caller_accesses& caller) { caller.writes(results_of_library, sizeof(*results_of_library)); }

char* text_of(const std::tm& time) {
    const char* const text = std::asctime(&time);  // NOLINT(bugprone-unsafe-functions): the code on trial calls it
    if (text == nullptr) return nullptr;
    std::strncpy(results_of_library->text.data(), text, results_of_library->text.size() - 1);
    return results_of_library->text.data();
}

char* next_token(const caller_accesses& caller, char* text, const char* separators, char** rest) {
    if (text == nullptr) text = *rest;
    if (text == nullptr) return nullptr;
    caller.reads_text(separators);
    const std::size_t skipped = std::strspn(text, separators);
    caller.reads(text, skipped + 1);
    text += skipped;
    const std::size_t length = std::strcspn(text, separators);
    caller.reads(text, length + 1);
    char* const end = text + length;
    *rest = end;
    if (length == 0) return nullptr;
    if (*end != '\0') {
        caller.writes(end, 1);
        *end = '\0';
        *rest = end + 1;
    }
    return text;
}

}  // namespace

// As an operation under a lock, which has an event of its own.
void serialise_access_to(instrumented_runtime& runtime, library_state which, const code_location& at) {
    const std::uintptr_t lock = reinterpret_cast<std::uintptr_t>(address_of(which)) | companion_lock;
    const site_id site = plain_code_site(at);
    runtime.touch_lock({lock, 1}, at);
    runtime.lock(lock, site);
    runtime.unlock(lock, site);
}

void reserve_library_results() {
    void* const got = static_memory::allocate(sizeof(library_results), alignof(library_results));
    if (got == nullptr) throw std::bad_alloc();
    results_of_library = static_cast<library_results*>(got);
}

void begin_execution_of_library() noexcept {
    rest_of_tokens = nullptr;
    changes& all = made_changes();
    for (auto each = all.variables.rbegin(); each != all.variables.rend(); ++each) {
        if (each->second) {
            ::setenv(each->first.c_str(), each->second->c_str(), 1);
        } else {
            ::unsetenv(each->first.c_str());
        }
    }
    all.variables.clear();
}

void save_library(snapshot& to) {
    if (!made_changes().variables.empty()) to.mark_incomplete();
    to.put(rest_of_tokens);
}

std::uint64_t fingerprint_of_library() noexcept {
    return hash_of_number(reinterpret_cast<std::uintptr_t>(rest_of_tokens), made_changes().variables.size());
}

void restore_library(snapshot& from) {
    begin_execution_of_library();
    from.take(rest_of_tokens);
}

// NOLINTBEGIN(bugprone-reserved-identifier,bugprone-unsafe-functions,concurrency-mt-unsafe)
extern "C" {

char* __wrap_strtok(char* text, const char* separators) {
    const caller_accesses caller = accesses_of_caller("strtok");
    if (!caller.on_trial()) return std::strtok(text, separators);
    uses(caller, library_state::token);
    return next_token(caller, text, separators, &rest_of_tokens);
}
char* __wrap_strtok_r(char* text, const char* separators, char** rest) {
    const caller_accesses caller = accesses_of_caller("strtok_r");
    if (text == nullptr) caller.reads(rest, sizeof(*rest));
    caller.writes(rest, sizeof(*rest));
    return next_token(caller, text, separators, rest);
}
[[gnu::alias("__wrap_strtok_r")]] char* __wrap___strtok_r(char* text, const char* separators, char** rest);

char* __wrap_strerror(int error) {
    uses(accesses_of_caller("strerror"), library_state::error_text);
    return std::strerror(error);
}
char* __wrap_strsignal(int signal) {
    uses(accesses_of_caller("strsignal"), library_state::signal_text);
    return ::strsignal(signal);
}

char* __wrap_getenv(const char* name) {
    const caller_accesses caller = accesses_of_caller("getenv");
    caller.reads_text(name);
    caller.reads(address_of(library_state::environment), 1);
    note_environment_read(name);
    return std::getenv(name);
}
char* __wrap_secure_getenv(const char* name) {
    const caller_accesses caller = accesses_of_caller("secure_getenv");
    caller.reads_text(name);
    caller.reads(address_of(library_state::environment), 1);
    note_environment_read(name);
    return ::secure_getenv(name);
}

int __wrap_setenv(const char* name, const char* value, int replace) {
    const caller_accesses caller = accesses_of_caller("setenv");
    caller.reads_text(name);
    caller.reads_text(value);
    uses(caller, library_state::environment);
    note_change(caller, name);
    return ::setenv(name, value, replace);
}
int __wrap_unsetenv(const char* name) {
    const caller_accesses caller = accesses_of_caller("unsetenv");
    caller.reads_text(name);
    uses(caller, library_state::environment);
    note_change(caller, name);
    return ::unsetenv(name);
}
int __wrap_putenv(char* text) {
    const caller_accesses caller = accesses_of_caller("putenv");
    caller.reads_text(text);
    uses(caller, library_state::environment);
    note_change(caller, std::string_view(text, std::strcspn(text, "=")));
    return ::putenv(text);
}

struct tm* __wrap_localtime(const time_t* when) {
    const caller_accesses caller = accesses_of_caller("localtime");
    caller.reads(when, sizeof(*when));
    note_time_zone_read();
    if (!caller.on_trial()) return std::localtime(when);
    write_results(caller);
    ::tzset();
    return ::localtime_r(when, &results_of_library->time);
}
struct tm* __wrap_gmtime(const time_t* when) {
    const caller_accesses caller = accesses_of_caller("gmtime");
    caller.reads(when, sizeof(*when));
    if (!caller.on_trial()) return std::gmtime(when);
    write_results(caller);
    return ::gmtime_r(when, &results_of_library->time);
}
char* __wrap_ctime(const time_t* when) {
    const caller_accesses caller = accesses_of_caller("ctime");
    caller.reads(when, sizeof(*when));
    note_time_zone_read();
    if (!caller.on_trial()) return std::ctime(when);
    write_results(caller);
    ::tzset();
    const std::tm* const time = ::localtime_r(when, &results_of_library->time);
    return time == nullptr ? nullptr : text_of(*time);
}
char* __wrap_asctime(const struct tm* what) {
    const caller_accesses caller = accesses_of_caller("asctime");
    caller.reads(what, sizeof(*what));
    if (!caller.on_trial()) return std::asctime(what);
    write_results(caller);
    return text_of(*what);
}

// The same with memory of the caller.
struct tm* __wrap_localtime_r(const time_t* when, struct tm* result) {
    const caller_accesses caller = accesses_of_caller("localtime_r");
    caller.reads(when, sizeof(*when));
    caller.writes(result, sizeof(*result));
    note_time_zone_read();
    return ::localtime_r(when, result);
}
struct tm* __wrap_gmtime_r(const time_t* when, struct tm* result) {
    const caller_accesses caller = accesses_of_caller("gmtime_r");
    caller.reads(when, sizeof(*when));
    caller.writes(result, sizeof(*result));
    return ::gmtime_r(when, result);
}
char* __wrap_ctime_r(const time_t* when, char* result) {
    const caller_accesses caller = accesses_of_caller("ctime_r");
    caller.reads(when, sizeof(*when));
    note_time_zone_read();
    char* const text = ::ctime_r(when, result);
    if (text != nullptr) caller.writes_text(text);
    return text;
}
char* __wrap_asctime_r(const struct tm* what, char* result) {
    const caller_accesses caller = accesses_of_caller("asctime_r");
    caller.reads(what, sizeof(*what));
    char* const text = ::asctime_r(what, result);
    if (text != nullptr) caller.writes_text(text);
    return text;
}
std::size_t __wrap_strftime(char* to, std::size_t room, const char* format, const struct tm* what) {
    const caller_accesses caller = accesses_of_caller("strftime");
    caller.reads_text(format);
    caller.reads(what, sizeof(*what));
    const std::size_t length = std::strftime(to, room, format, what);
    if (length != 0) caller.writes(to, length + 1);
    return length;
}
time_t __wrap_mktime(struct tm* what) {
    const caller_accesses caller = accesses_of_caller("mktime");
    caller.reads(what, sizeof(*what));
    caller.writes(what, sizeof(*what));
    note_time_zone_read();
    return std::mktime(what);
}

char* __wrap_setlocale(int category, const char* name) {
    const caller_accesses caller = accesses_of_caller("setlocale");
    if (name != nullptr) caller.reads_text(name);
    uses(caller, library_state::locale);
    if (name != nullptr && caller.on_trial()) process_changes::note();
    note_locale_read(name);
    const harness_scope harness;
    return std::setlocale(category, name);
}
struct lconv* __wrap_localeconv() {
    uses(accesses_of_caller("localeconv"), library_state::locale);
    return std::localeconv();
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,bugprone-unsafe-functions,concurrency-mt-unsafe)

}  // namespace ordeal::detail
