// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/audit/source/patch.hpp"

#include "ordeal/audit/source/written_orders.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace ordeal::detail {

namespace {

std::string place(const site& where) { return where.key.file + ":" + std::to_string(where.key.line) + ": "; }

order meant_at(const atomic_call& call, role what) { return what == role::failure ? call.failure() : call.success(); }

// A text, and what sites' columns refer to in it.
struct source_view {
    std::span<const source_token> tokens;
    source_kind kind;

    [[nodiscard]] std::variant<atomic_call, std::string> call_at(const site& where) const {
        const bool by_expression = kind == source_kind::with_policy;
        return find_call(tokens, where, by_expression ? site_column::expression : site_column::operation);
    }
};

// The order in the text at a site; nothing if it is unknown.
std::optional<order> order_at(const source_view& text, const site& where) {
    const auto found = text.call_at(where);
    const auto* call = std::get_if<atomic_call>(&found);
    return call == nullptr ? std::nullopt : std::optional(meant_at(*call, where.key.what));
}

bool is_another(const site& where, std::optional<order> written) { return written && *written != where.declared; }

// The changed sites of one call: a compare-exchange may have two.
struct changed_call {
    atomic_call call;
    order success = order::seq_cst;
    order failure = order::seq_cst;
};

text_edit replaced(const written_order& what, order value) {
    const bool in_one_word = what.last->text.starts_with("memory_order_");
    return {.line = what.last->line,
            .column = what.last->column,
            .removed = std::string(what.last->text),
            .inserted = (in_one_word ? "memory_order_" : "") + std::string(to_string(value))};
}

text_edit inserted_before(const source_token& where, std::string text) {
    return {.line = where.line, .column = where.column, .removed = {}, .inserted = std::move(text)};
}

// The spelling of orders in this source.
std::string spelling_in(std::string_view text) {
    if (text.find("memory_order_") != std::string_view::npos || text.find("memory_order::") == std::string_view::npos) {
        return "std::memory_order_";
    }
    return "std::memory_order::";
}

class file_editor {
public:
    file_editor(std::string file, std::string text, source_kind kind)
        : text_(std::move(text)), tokens_(tokens_of(text_)), kind_(kind) {
        result_.file = std::move(file);
    }

    [[nodiscard]] source_view view() const { return {tokens_, kind_}; }

    // Returns an empty text, or the reason why not.
    std::string change(const site_change& wanted) {
        auto found = view().call_at(wanted.where);
        if (auto* why = std::get_if<std::string>(&found)) return std::move(*why);
        const atomic_call& call = std::get<atomic_call>(found);
        auto& changed = calls_.try_emplace(call.name, changed_call{call, call.success(), call.failure()}).first->second;
        (wanted.where.key.what == role::failure ? changed.failure : changed.success) = wanted.replacement;
        return {};
    }

    file_patch finish() {
        for (const auto& [name, each] : calls_) add_edits(each);
        std::ranges::sort(result_.edits, {}, [](const text_edit& each) { return std::tie(each.line, each.column); });
        std::vector<std::size_t> line_begins{0};
        for (std::size_t i = 0; i != text_.size(); ++i) {
            if (text_[i] == '\n') line_begins.push_back(i + 1);
        }
        std::size_t copied = 0;
        for (const text_edit& each : result_.edits) {
            const std::size_t at = line_begins[each.line - 1] + each.column - 1;
            result_.after.append(text_, copied, at - copied).append(each.inserted);
            copied = at + each.removed.size();
        }
        result_.after.append(text_, copied);
        result_.before = text_;
        return std::move(result_);
    }

private:
    void add_edits(const changed_call& changed) {
        const auto& orders = changed.call.orders;
        const auto add = [&](text_edit edit) { result_.edits.push_back(std::move(edit)); };
        if (!orders.empty() && orders[0].value != changed.success) add(replaced(orders[0], changed.success));
        if (orders.size() > 1) {
            if (orders[1].value != changed.failure) add(replaced(orders[1], changed.failure));
            return;
        }
        // The order of failure follows from that of success, unless it is written.
        const bool needs_failure = changed.call.takes_failure && failure_of(changed.success) != changed.failure;
        if (!orders.empty()) {
            if (needs_failure) add(inserted_behind(orders[0], changed.failure));
            return;
        }
        if (changed.success == order::seq_cst && !needs_failure) return;
        const std::string spelling = spelling_in(text_);
        std::string text = changed.call.has_arguments ? ", " : "";
        text += spelling + std::string(to_string(changed.success));
        if (needs_failure) text += ", " + spelling + std::string(to_string(changed.failure));
        add(inserted_before(*changed.call.close, std::move(text)));
    }

    // ", std::memory_order_relaxed" after the existing order.
    [[nodiscard]] static text_edit inserted_behind(const written_order& first, order value) {
        const auto behind = first.last->column + static_cast<std::uint32_t>(first.last->text.size());
        return {.line = first.last->line,
                .column = behind,
                .removed = {},
                .inserted = ", " + first.prefix + std::string(to_string(value))};
    }

    std::string text_;
    std::vector<source_token> tokens_;
    source_kind kind_;
    std::map<const source_token*, changed_call> calls_;
    file_patch result_;
};

// The position of a site after the edits.
site moved(site where, const std::vector<text_edit>& edits) {
    std::size_t column = where.key.column;
    for (const text_edit& each : edits) {
        if (each.line != where.key.line || each.column >= where.key.column) continue;
        column += each.inserted.size() - each.removed.size();  // may wrap around and back
    }
    where.key.column = static_cast<std::uint32_t>(column);
    return where;
}

// What is wrong with the changed text; empty: nothing.
std::string not_as_intended(const file_patch& patch, const source_view& before, std::span<const site_change> changes,
                            std::span<const site> known) {
    const auto tokens = tokens_of(patch.after);
    const auto says = [&](const site& where, order wanted) {
        return order_at({tokens, before.kind}, moved(where, patch.edits)) == wanted;
    };
    for (const site_change& each : changes) {
        if (each.where.key.file == patch.file && !says(each.where, each.replacement)) return place(each.where);
    }
    for (const site& each : known) {
        const bool changed = std::ranges::any_of(changes, [&](const site_change& one) {
            return one.where.key == each.key && one.where.declared == each.declared;
        });
        if (each.key.file != patch.file || changed) continue;
        const auto was = order_at(before, each);
        if (was && !says(each, *was)) return place(each);
    }
    return {};
}

struct sites_of_file {
    std::vector<site_change> changes;
    std::vector<site> known;
};

// Whether the location may belong to another site: an implicit conversion beside it cannot be told apart.
bool is_of_another(const source_view& text, const site& where, std::span<const site> known) {
    const auto name_at = [&](const site& which) {
        const auto found = text.call_at(which);
        const auto* call = std::get_if<atomic_call>(&found);
        return call == nullptr ? nullptr : call->name;
    };
    const source_token* const name = name_at(where);
    return name != nullptr && std::ranges::any_of(known, [&](const site& each) {
               return each.key != where.key && each.key.what == where.key.what && name_at(each) == name;
           });
}

// The impossible changes, with reasons.
struct left_parts {
    std::set<std::string> refusals;
    std::vector<site_change> changes;

    void refuse(const site_change& change, std::string why) {
        refusals.insert(std::move(why));
        changes.push_back(change);
    }
    void refuse_all(const std::vector<site_change>& all, std::string why) {
        refusals.insert(std::move(why));
        changes.insert(changes.end(), all.begin(), all.end());
    }
};

// The operation in the text may be on another variable than in the program. A name other than that of an atomic may be
// an alias of it.
std::string another_object(const source_view& text, const site_change& change, std::span<const std::string> objects) {
    const auto found = text.call_at(change.where);
    const auto* call = std::get_if<atomic_call>(&found);
    if (call == nullptr || change.object.empty() || call->object.empty() || call->object == change.object) return {};
    const bool other =
        std::ranges::find(objects, call->object) != objects.end() || declares_atomic(text.tokens, call->object);
    if (!other) return {};
    return "it is an operation on '" + call->object + "' where this program has one on '" + change.object +
           "': the file has changed; build again";
}

std::optional<file_patch> patch_of(const std::string& file, const sites_of_file& sites, source_kind kind,
                                   const source_reader& read, std::span<const std::string> objects, left_parts& left) {
    auto text = read(file);
    if (!text) {
        left.refuse_all(sites.changes, file + ": it cannot be read");
        return std::nullopt;
    }
    file_editor editor(file, std::move(*text), kind);
    bool is_another_file = false;
    const auto refuse_file = [&](const site& where, const std::string& why) {
        left.refusals.insert(place(where) + why);
        is_another_file = true;
    };
    const auto check = [&](const site& where) {
        const auto written = order_at(editor.view(), where);
        if (!is_another(where, written)) return;
        refuse_file(where, "it says " + std::string(to_string(*written)) + " where this program has " +
                               std::string(to_string(where.declared)) + ": the file has changed; build again");
    };
    for (const site& each : sites.known) check(each);
    for (const site_change& each : sites.changes) {
        check(each.where);
        const std::string why = another_object(editor.view(), each, objects);
        if (!why.empty()) refuse_file(each.where, why);
    }
    if (is_another_file) {
        left.changes.insert(left.changes.end(), sites.changes.begin(), sites.changes.end());
        return std::nullopt;
    }
    std::vector<site_change> made;
    for (const site_change& each : sites.changes) {
        if (is_of_another(editor.view(), each.where, sites.known)) {
            left.refuse(each,
                        place(each.where) + "another operation is said to stand at the same call: change it by hand");
        } else if (const std::string why = editor.change(each); !why.empty()) {
            left.refuse(each, place(each.where) + why);
        } else {
            made.push_back(each);
        }
    }
    if (made.empty()) return std::nullopt;
    file_patch result = editor.finish();
    if (const std::string where = not_as_intended(result, editor.view(), made, sites.known); !where.empty()) {
        left.refuse_all(made, where + "the changed line would not say what it should: change it by hand");
        return std::nullopt;
    }
    return result;
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        result.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return result;
}

std::string diff_line(char mark, std::string_view line) {
    const bool ends = line.ends_with('\n');
    return mark + std::string(line) + (ends ? "" : "\n\\ No newline at end of file\n");
}

// Lines are replaced one for one, so a hunk has the same length on both sides.
std::string hunk(const std::vector<std::string_view>& before, const std::vector<std::string_view>& after,
                 std::size_t begin, std::size_t end) {
    const std::string range = std::to_string(begin + 1) + (end - begin == 1 ? "" : "," + std::to_string(end - begin));
    std::string text = "@@ -" + range + " +" + range + " @@\n";
    for (std::size_t i = begin; i != end;) {
        if (before[i] == after[i]) {
            text += diff_line(' ', before[i++]);
            continue;
        }
        const std::size_t first = i;
        for (; i != end && before[i] != after[i]; ++i) text += diff_line('-', before[i]);
        for (std::size_t j = first; j != i; ++j) text += diff_line('+', after[j]);
    }
    return text;
}

}  // namespace

source_patch make_patch(std::span<const site_change> changes, std::span<const site> known, source_kind kind,
                        const source_reader& read, std::span<const std::string> objects) {
    std::map<std::string, sites_of_file> by_file;
    for (const site_change& each : changes) by_file[each.where.key.file].changes.push_back(each);
    for (const site& each : known) {
        const auto found = by_file.find(each.key.file);
        if (found != by_file.end()) found->second.known.push_back(each);
    }
    source_patch result;
    left_parts left;
    for (const auto& [file, sites] : by_file) {
        if (auto patch = patch_of(file, sites, kind, read, objects, left)) result.files.push_back(std::move(*patch));
    }
    result.refusals.assign(left.refusals.begin(), left.refusals.end());
    result.left = std::move(left.changes);
    return result;
}

std::string unified_diff(const file_patch& patch) {
    constexpr std::size_t context = 3;
    const auto before = lines_of(patch.before);
    const auto after = lines_of(patch.after);
    const std::string end_of_name = patch.file.find(' ') == std::string::npos ? "\n" : "\t\n";
    const std::string name = (patch.file.starts_with('/') ? "" : "/") + patch.file + end_of_name;
    std::string text;
    for (std::size_t i = 0; i != before.size(); ++i) {
        if (before[i] == after[i]) continue;
        const std::size_t begin = i < context ? 0 : i - context;
        std::size_t end = std::min(before.size(), i + 1 + context);
        // Nearby changes belong to the same hunk.
        for (std::size_t next = i + 1; next < std::min(before.size(), end + context); ++next) {
            if (before[next] != after[next]) end = std::min(before.size(), next + 1 + context);
        }
        text += hunk(before, after, begin, end);
        i = end - 1;
    }
    return text.empty() ? text : "--- a" + name + "+++ b" + name + text;
}

std::string unified_diff(const source_patch& patch) {
    std::string text;
    for (const file_patch& each : patch.files) text += unified_diff(each);
    return text;
}

}  // namespace ordeal::detail
