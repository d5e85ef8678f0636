// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/process_state/process_changes.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <span>

namespace ordeal::detail {

/// Whether a read from this descriptor may block. With an invalid descriptor it fails at once.
[[nodiscard]] bool may_wait(int file) noexcept;

/// A call uses, and may change, the descriptors of the process or the streams of the C library.
void use_descriptors(instrumented_runtime& runtime, const code_location& at);
[[gnu::always_inline]] inline void uses_descriptors(const char* function) {
    if (instrumented_runtime* const runtime = runtime_on_trial())
        use_descriptors(*runtime, code_location_here(function));
}
/// Whether a descriptor or a stream may be closed: on trial not one that was open before.
template <class File>
[[nodiscard]] bool can_close(File file) {
    return runtime_on_trial() == nullptr || process_changes::may_close(file);
}

/// On trial ends the search, naming the function, before it blocks for something outside the model.
[[gnu::always_inline]] inline void refuse_if_it_blocks(int file, const char* function) {
    if (runtime_on_trial() == nullptr) return;
    if (may_wait(file)) refused_on_trial(function);
    uses_descriptors("read");
}

/// Whether a write of so many bytes to this descriptor may block until somebody reads. Output of the program is read by
/// nobody on trial, so it never does.
[[nodiscard]] bool may_wait_for_room(int file, std::size_t size) noexcept;
/// The same for a stream, including what it has buffered.
[[nodiscard]] bool may_wait_for_room(std::FILE* stream, std::size_t size) noexcept;

/// Whether it is the program's output.
[[nodiscard]] inline bool is_printed(int file) noexcept { return file == STDOUT_FILENO || file == STDERR_FILENO; }
[[nodiscard]] inline bool is_printed(std::FILE* stream) noexcept { return is_printed(fileno(stream)); }

/// Their total size in bytes.
[[nodiscard]] std::size_t bytes_of(std::span<const iovec> all) noexcept;

/// As refuse_if_it_blocks, for a function that writes.
template <class File>
[[gnu::always_inline]] inline void refuse_without_room(File file, std::size_t size, const char* function) {
    if (runtime_on_trial() == nullptr || is_printed(file)) return;
    if (may_wait_for_room(file, size)) refused_on_trial(function);
    uses_descriptors("write");
}

/// As those, for a system call by its number.
void refuse_system_call_that_waits(instrumented_runtime& runtime, const code_location& at, long number,
                                   const long* arguments);

}  // namespace ordeal::detail
