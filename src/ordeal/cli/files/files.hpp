// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/cli/options/options.hpp"
#include "ordeal/engine/engine.hpp"
#include "ordeal/engine/persistence/resumable_file.hpp"
#include "ordeal/report/baseline.hpp"
#include "ordeal/report/report_format.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

// The files that commands write, and go on from.
namespace ordeal::detail {

/// Throws when a report file, the checkpoint or the file of a shard or a soak cannot be written, or when two of them
/// are one; asked before the work begins.
void require_writable(const command_options& options);

/// Whether a report takes the place of the text on standard output.
[[nodiscard]] bool has_report_on_standard_output(const command_options& options);

/// The report of a command in a format.
using report_in_format = std::function<std::string(const report_format&, const report_context&)>;

/// Writes the reports that were asked for and prints the text report, unless one of them takes its place on standard
/// output; throws when any of this failed.
void write_reports(const command_options& options, const report_in_format& report);

template <class Report>
void write_reports(const command_options& options, const Report& report,
                   std::string (report_format::*in)(const Report&, const report_context&) const) {
    write_reports(options, [&](const report_format& format, const report_context& context) {
        return (format.*in)(report, context);
    });
}

/// The pictures that were asked for, of one execution; throws when one cannot be written.
void write_pictures(const command_options& options, const scenario& what, const search_result& execution,
                    const explanation& why);

/// The report of `--baseline`; nothing without that option. Throws a usage error when the file cannot be read, is no
/// such report, or cannot be compared with the audit that is asked for: made with another engine or model, or of a
/// subject of which the patterns leave scenarios out that the file has. Without a pattern the file says what is
/// audited: of `chosen` its subjects stay.
[[nodiscard]] std::optional<baseline_audit> baseline_of(const command_options& options, const engine& with,
                                                        std::vector<const scenario*>& chosen);

/// Compares a report with the file, and notes in the report what differs.
void compare_with_baseline(audit_report& report, const baseline_audit& was, const command_options& options,
                           const audit_token& token_of);

/// What one shard of a check leaves for `merge`: each of its searches, and what they are searches of.
struct shard_file {
    search_options how;  ///< with shard and shards
    std::string engine;
    std::vector<std::string> scenarios;                   ///< that the check is of, in its order
    std::vector<std::optional<search_result>> results{};  ///< one for each; nothing: it was not begun
    environment_values environment{};                     ///< of a file: what the code on trial asked for

    /// Throws std::runtime_error when it cannot be read, is damaged, or is of another build of the program.
    [[nodiscard]] static shard_file read(const std::string& path);
    /// Throws std::runtime_error when it cannot be written.
    void write(const std::string& path) const;
};

/// The files, ordered by their shards. Throws command_error when they are not all shards of one check, each once.
[[nodiscard]] std::vector<shard_file> all_shards(const std::vector<std::string>& paths);

/// Keeps other processes of ordeal from a file that this one goes on from and replaces, while it lives. The lock is on
/// an empty file beside it, with the name and ".lock": the file itself gives way to another one each time it is
/// written. The system takes the lock away when the process ends, however it ends; processes that this one forks do not
/// have it.
class file_lock {
public:
    /// Throws command_error: when another process has it, and which one; when there cannot be such a file.
    explicit file_lock(const std::string& file);
    ~file_lock();
    file_lock(const file_lock&) = delete;
    file_lock& operator=(const file_lock&) = delete;

private:
    std::string name_;
    int file_ = -1;
};

}  // namespace ordeal::detail
