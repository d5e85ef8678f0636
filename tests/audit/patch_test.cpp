// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_engine.hpp"

#include "ordeal/audit/source/patch.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

using Catch::Matchers::Contains;
using ordeal::order;
using ordeal::role;
using ordeal::site;
using ordeal::detail::make_patch;
using ordeal::detail::site_change;
using ordeal::detail::source_kind;
using ordeal::detail::source_patch;

namespace {

const std::string file = "src/latch.hpp";

// The site of a role that begins at the mark in the text, which is taken out.
struct marked {
    explicit marked(std::string source) : text(std::move(source)) {
        const std::size_t at = text.find('@');
        REQUIRE(at != std::string::npos);
        text.erase(at, 1);
        for (std::size_t i = 0; i != at; ++i) {
            column = text[i] == '\n' ? 1 : column + 1;
            line += text[i] == '\n' ? 1 : 0;
        }
    }
    [[nodiscard]] site at(role what, order declared) const {
        site result;
        result.key = {file, line, column, what};
        result.atomic = true;
        result.operation = "operation";
        result.declared = declared;
        return result;
    }

    std::string text;
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

source_patch patch_of(const std::string& text, const std::vector<site_change>& changes,
                      const std::vector<site>& known = {}, source_kind kind = source_kind::with_policy) {
    return make_patch(changes, known, kind,
                      [&](const std::string& name) { return name == file ? std::optional(text) : std::nullopt; });
}

// The text after one change; a failure names the refusals.
std::string changed(const std::string& source, role what, order declared, order replacement) {
    const marked from(source);
    const source_patch patch = patch_of(from.text, {{from.at(what, declared), replacement, {}}});
    CAPTURE(source, patch.refusals);
    REQUIRE(patch.refusals.empty());
    REQUIRE(patch.files.size() == 1);
    CHECK(patch.files[0].before == from.text);
    return patch.files[0].after;
}

std::string refused(const std::string& source, role what, order declared, order replacement) {
    const marked from(source);
    const source_patch patch = patch_of(from.text, {{from.at(what, declared), replacement, {}}});
    CAPTURE(source);
    REQUIRE(patch.refusals.size() == 1);
    CHECK(patch.files.empty());
    CHECK(unified_diff(patch).empty());
    CHECK_THAT(patch.refusals[0], Catch::Matchers::StartsWith(file + ":" + std::to_string(from.line) + ": "));
    return patch.refusals[0];
}

std::string acquire_made_relaxed(const std::string& source) {
    return changed(source, role::load, order::acquire, order::relaxed);
}
std::string load_refused(const std::string& source) {
    return refused(source, role::load, order::acquire, order::relaxed);
}

}  // namespace

TEST_CASE("an order is replaced in the spelling that stands there") {
    CHECK(acquire_made_relaxed("return @state_.load(std::memory_order_acquire) == this;") ==
          "return state_.load(std::memory_order_relaxed) == this;");
    CHECK(acquire_made_relaxed("@n.load(memory_order_acquire);") == "n.load(memory_order_relaxed);");
    CHECK(acquire_made_relaxed("@n.load(std::memory_order::acquire);") == "n.load(std::memory_order::relaxed);");
    CHECK(acquire_made_relaxed("@n.load(memory_order::acquire);") == "n.load(memory_order::relaxed);");
    CHECK(acquire_made_relaxed("@n.load(::std::memory_order_acquire);") == "n.load(::std::memory_order_relaxed);");
    CHECK(acquire_made_relaxed("@n.load(std::memory_order_consume);") == "n.load(std::memory_order_relaxed);");
    CHECK(acquire_made_relaxed("@n.wait(old, std::memory_order_acquire);") ==
          "n.wait(old, std::memory_order_relaxed);");
    CHECK(changed("@n.fetch_sub(1, std::memory_order_acq_rel)", role::fetch, order::acq_rel, order::release) ==
          "n.fetch_sub(1, std::memory_order_release)");
    CHECK(changed("@busy.test_and_set(std::memory_order_acq_rel)", role::exchange, order::acq_rel, order::acquire) ==
          "busy.test_and_set(std::memory_order_acquire)");
    CHECK(changed("@std::atomic_thread_fence(std::memory_order_seq_cst);", role::fence, order::seq_cst,
                  order::acquire) == "std::atomic_thread_fence(std::memory_order_acquire);");
    CHECK(changed("std::@atomic_store_explicit(&n, 1, std::memory_order_seq_cst);", role::store, order::seq_cst,
                  order::release) == "std::atomic_store_explicit(&n, 1, std::memory_order_release);");
}

TEST_CASE("the call is found from wherever a compiler says that it stands") {
    const std::string after = "if (list->heads_[at(i, 2)].word.load(std::memory_order_relaxed) != 0) {}";
    CHECK(acquire_made_relaxed("if (@list->heads_[at(i, 2)].word.load(std::memory_order_acquire) != 0) {}") == after);
    CHECK(acquire_made_relaxed("if (list->heads_[at(i, 2)].word.@load(std::memory_order_acquire) != 0) {}") == after);
    CHECK(acquire_made_relaxed("if (list->heads_[at(i, 2)].word.load@(std::memory_order_acquire) != 0) {}") == after);
    CHECK(acquire_made_relaxed("@static_cast<node<int>*>(p)->next.load(std::memory_order_acquire)") ==
          "static_cast<node<int>*>(p)->next.load(std::memory_order_relaxed)");
    CHECK(acquire_made_relaxed("@(*p).load(std::memory_order_acquire)") == "(*p).load(std::memory_order_relaxed)");
    CHECK(acquire_made_relaxed("@std::atomic_ref<int>(n).load(std::memory_order_acquire)") ==
          "std::atomic_ref<int>(n).load(std::memory_order_relaxed)");
}

TEST_CASE("a statement may span lines, and have comments, strings and the orders of other operations in it") {
    CHECK(
        changed("@state\n    .store(  // \"(\" memory_order_relaxed)\n        b.load(std::memory_order_acquire) + "
                "f(\")\", ')', "
                "R\"x()\")x\", 1'000), /* , */\n        std::memory_order::\n        release);",
                role::store, order::release, order::relaxed) ==
        "state\n    .store(  // \"(\" memory_order_relaxed)\n        b.load(std::memory_order_acquire) + f(\")\", ')', "
        "R\"x()\")x\", 1'000), /* , */\n        std::memory_order::\n        relaxed);");
    CHECK(changed("a.store(@b.load(std::memory_order_acquire), std::memory_order_release);", role::load, order::acquire,
                  order::relaxed) == "a.store(b.load(std::memory_order_relaxed), std::memory_order_release);");
}

TEST_CASE("of a compare-exchange the success comes first") {
    const std::string both =
        "while (!@s.compare_exchange_weak(e, {1, 2}, std::memory_order_acq_rel, std::memory_order_acquire)) {}";
    CHECK(changed(both, role::success, order::acq_rel, order::release) ==
          "while (!s.compare_exchange_weak(e, {1, 2}, std::memory_order_release, std::memory_order_acquire)) {}");
    CHECK(changed(both, role::failure, order::acquire, order::relaxed) ==
          "while (!s.compare_exchange_weak(e, {1, 2}, std::memory_order_acq_rel, std::memory_order_relaxed)) {}");
}

TEST_CASE("the failure is written where it no longer follows from the success") {
    const marked one("@s.compare_exchange_strong(e, d, memory_order::acq_rel)");
    const site success = one.at(role::success, order::acq_rel);
    const site failure = one.at(role::failure, order::acquire);
    const auto after = [&](const std::vector<site_change>& changes) {
        const source_patch patch = patch_of(one.text, changes, {success, failure});
        CAPTURE(patch.refusals);
        REQUIRE(patch.files.size() == 1);
        return patch.files[0].after;
    };
    CHECK(after({{success, order::release, {}}}) ==
          "s.compare_exchange_strong(e, d, memory_order::release, memory_order::acquire)");
    CHECK(after({{success, order::acquire, {}}}) == "s.compare_exchange_strong(e, d, memory_order::acquire)");
    CHECK(after({{failure, order::relaxed, {}}}) ==
          "s.compare_exchange_strong(e, d, memory_order::acq_rel, memory_order::relaxed)");
    CHECK(after({{success, order::release, {}}, {failure, order::relaxed, {}}}) ==
          "s.compare_exchange_strong(e, d, memory_order::release)");
    CHECK(after({{success, order::seq_cst, {}}, {failure, order::relaxed, {}}}) ==
          "s.compare_exchange_strong(e, d, memory_order::seq_cst, memory_order::relaxed)");
}

TEST_CASE("where the default is meant, and the call has nothing else, the order is added") {
    CHECK(changed("@n.load();", role::load, order::seq_cst, order::acquire) == "n.load(std::memory_order_acquire);");
    CHECK(changed("@n.store(f(1, 2));", role::store, order::seq_cst, order::release) ==
          "n.store(f(1, 2), std::memory_order_release);");
    CHECK(changed("using std::memory_order::acquire; @n.load();", role::load, order::seq_cst, order::acquire) ==
          "using std::memory_order::acquire; n.load(std::memory_order::acquire);");
    CHECK(changed("@n.compare_exchange_weak(e, d);", role::success, order::seq_cst, order::acquire) ==
          "n.compare_exchange_weak(e, d, std::memory_order_acquire, std::memory_order_seq_cst);");
}

TEST_CASE("what is not written as an order is refused, and says what stands there") {
    CHECK_THAT(load_refused("@n.load(order_);"), Contains("the order is 'order_', not one that is written out"));
    CHECK_THAT(load_refused("@n.load(MO_ACQUIRE);"), Contains("'MO_ACQUIRE'"));
    CHECK_THAT(load_refused("@n.load(strict ? std::memory_order_acquire : std::memory_order_relaxed);"),
               Contains("not one that is written out"));
    CHECK_THAT(load_refused("if (@ready) {}"), Contains("implicit conversion"));
    CHECK_THAT(load_refused("@READ_ONCE(n);"), Contains("the operation is made by 'READ_ONCE', a macro or a function"));
    CHECK_THAT(load_refused("@a.load(std::memory_order_acquire)->b.load(std::memory_order_acquire);"),
               Contains("more than one operation begins there"));
    CHECK_THAT(load_refused("@n.load(\n#ifdef X\nstd::memory_order_acquire\n#endif\n);"), Contains("directive"));
    CHECK_THAT(load_refused("@n.load(std::memory_order_acquire, 1);"), Contains("with these arguments"));
    CHECK_THAT(refused("@flag = true;", role::store, order::seq_cst, order::release),
               Contains("the operation is an operator"));
    CHECK_THAT(refused("@++n;", role::fetch, order::seq_cst, order::relaxed), Contains("the operation is an operator"));
    CHECK_THAT(refused("n @|= 2;", role::fetch, order::seq_cst, order::relaxed),
               Contains("the operation is an operator"));
    CHECK_THAT(refused("@P::acquire_fence(n);", role::fence, order::acquire, order::relaxed),
               Contains("acquire_fence() takes no order"));
    CHECK_THAT(refused("@n.store(std::pair<int, int>(1, 2));", role::store, order::seq_cst, order::release),
               Contains("not one that is written out"));
}

TEST_CASE("a file that is not the one of the program is refused") {
    CHECK_THAT(load_refused("@n.load(std::memory_order_seq_cst);"),
               Contains("says seq_cst where this program has acquire"));
    CHECK_THAT(load_refused("@n.load();"), Contains("says seq_cst where this program has acquire"));
    CHECK_THAT(load_refused("n.lo@ad(std::memory_order_acquire);"), Contains("nothing begins at column 5"));
    CHECK_THAT(load_refused("@n.store(1, std::memory_order_acquire);"),
               Contains("a macro or a function") || Contains("no call"));
    const marked there("a.store(1, std::memory_order_release);\n@n.load(std::memory_order_acquire);");
    site other = there.at(role::store, order::relaxed);
    other.key.line = 1;
    const source_patch patch =
        patch_of(there.text, {{there.at(role::load, order::acquire), order::relaxed, {}}}, {other});
    REQUIRE(patch.refusals.size() == 1);
    CHECK_THAT(patch.refusals[0], Contains(file + ":1: it says release where this program has relaxed"));
    CHECK(patch.files.empty());
    const source_patch absent =
        make_patch(std::vector<site_change>{{there.at(role::load, order::acquire), order::relaxed, {}}}, {},
                   source_kind::with_policy, [](const std::string&) { return std::nullopt; });
    REQUIRE(absent.refusals.size() == 1);
    CHECK(absent.refusals[0] == file + ": it cannot be read");
}

TEST_CASE("of code without a policy only the place of the operation itself is taken for one") {
    const auto refusals = [](const std::string& source, std::vector<site> known = {}) {
        const marked from(source);
        const site where = from.at(role::load, order::seq_cst);
        known.push_back(where);
        const source_patch patch =
            patch_of(from.text, {{where, order::acquire, {}}}, known, source_kind::without_policy);
        CHECK(patch.files.empty() == !patch.refusals.empty());
        return patch.refusals.empty() ? std::string() : patch.refusals[0];
    };
    CHECK(refusals("list->@load(std::memory_order_seq_cst)").empty());
    CHECK(refusals("list->load@(std::memory_order_seq_cst)").empty());
    CHECK(refusals("@std::atomic_load_explicit(&n, std::memory_order_seq_cst)").empty());
    CHECK(refusals("@std::atomic_thread_fence(std::memory_order_seq_cst)") != "");
    // The head of the list is an atomic pointer, which is read by a conversion.
    CHECK_THAT(refusals("@head->next.load(std::memory_order_seq_cst)"), Contains("implicit conversion"));
    // As g++ has the conversion of n: at the other operand.
    site other =
        marked("n == std::atomic_load_explicit@(&m, std::memory_order_seq_cst)").at(role::load, order::seq_cst);
    CHECK_THAT(refusals("n == @std::atomic_load_explicit(&m, std::memory_order_seq_cst)", {other}),
               Contains("another operation is said to stand at the same call"));
    CHECK_THAT(refusals("std::atomic_load@(&n)"),
               Contains("made by 'atomic_load', a macro or a function without an order"));
    CHECK_THAT(refusals("@std::atomic_load(&n)"), Contains("made by 'std::atomic_load'"));
}

TEST_CASE("what can be made of a change is made, and the rest is listed") {
    const std::string text = "a.store(1, std::memory_order_seq_cst);\nb = true;\n";
    site first;
    first.key = {file, 1, 1, role::store};
    first.declared = order::seq_cst;
    site second = first;
    second.key.line = 2;
    const source_patch patch = patch_of(text, {{first, order::release, {}}, {second, order::release, {}}});
    REQUIRE(patch.files.size() == 1);
    CHECK(patch.files[0].after == "a.store(1, std::memory_order_release);\nb = true;\n");
    REQUIRE(patch.refusals.size() == 1);
    CHECK_THAT(patch.refusals[0], Contains(":2: "));
    REQUIRE(patch.left.size() == 1);
    CHECK(patch.left[0].where.key == second.key);

    // So with a file that could be changed, and another one.
    second.key = {"src/other.hpp", 1, 1, role::store};
    const source_patch of_two = patch_of(text, {{first, order::release, {}}, {second, order::release, {}}});
    CHECK(of_two.files.size() == 1);
    CHECK(of_two.refusals == std::vector<std::string>{"src/other.hpp: it cannot be read"});
}

TEST_CASE("a line that has come to be about another variable is refused") {
    site where;
    where.key = {file, 2, 1, role::store};
    where.declared = order::seq_cst;
    const auto refusals = [&](const std::string& text, const std::vector<std::string>& objects) {
        const std::vector<site_change> changes{{where, order::release, {}, "flag_"}};
        const source_patch patch = make_patch(
            changes, {}, source_kind::with_policy, [&](const std::string&) { return std::optional(text); }, objects);
        CHECK(patch.files.empty() == !patch.refusals.empty());
        return patch.refusals.empty() ? std::string() : patch.refusals[0];
    };
    CHECK(refusals("\nflag_.store(1);\n", {"flag_", "other_"}).empty());
    CHECK_THAT(refusals("\nother_.store(1);\n", {"flag_", "other_"}),
               Contains("an operation on 'other_' where this program has one on 'flag_': the file has changed"));
    // Of an atomic that no scenario reaches, the declaration tells.
    CHECK_THAT(refusals("std::atomic<int> fresh{0};\nfresh.store(1);\n", {"flag_"}), Contains("on 'fresh'"));
    // What may stand for it is taken for it.
    CHECK(refusals("auto& word = flags.flag_;\nword.store(1);\n", {"flag_", "other_"}).empty());
    CHECK(refusals("void set(std::atomic<int>& word) {\nword.store(1);\n}\n", {"flag_", "other_"}).empty());
}

namespace {

// Line ends of the other kind, two sites in one line, changes near and far, and no newline at the end.
std::string long_text(const std::string& first, const std::string& second, const std::string& third) {
    std::string text =
        "// begin\n  a.store(b.load(std::memory_order_" + first + "), std::memory_order_" + second + ");\r\n";
    for (int i = 0; i != 5; ++i) text += "f();\n";
    text += "b.load(std::memory_order_" + first + ");\n";
    for (int i = 0; i != 9; ++i) text += "g();\n";
    return text + "b.store(2, std::memory_order_" + third + ");";
}

source_patch long_patch() {
    const std::string text = long_text("acquire", "seq_cst", "release");
    const auto at = [&](std::uint32_t line, std::uint32_t column, role what, order declared) {
        site where;
        where.key = {file, line, column, what};
        where.declared = declared;
        return where;
    };
    const std::vector<site_change> changes{{at(2, 3, role::store, order::seq_cst), order::relaxed, {}},
                                           {at(2, 11, role::load, order::acquire), order::seq_cst, {}},
                                           {at(8, 1, role::load, order::acquire), order::seq_cst, {}},
                                           {at(18, 1, role::store, order::release), order::relaxed, {}}};
    return patch_of(text, changes);
}

std::string content(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("the diff has hunks as diff -u makes them") {
    const source_patch patch = long_patch();
    CAPTURE(patch.refusals);
    REQUIRE(patch.files.size() == 1);
    CHECK(patch.files[0].after == long_text("seq_cst", "relaxed", "relaxed"));
    const std::string diff = unified_diff(patch);
    CHECK_THAT(diff, Catch::Matchers::StartsWith(
                         "--- a/src/latch.hpp\n+++ b/src/latch.hpp\n@@ -1,11 +1,11 @@\n // begin\n-  a.store("));
    CHECK_THAT(diff, Contains("@@ -15,4 +15,4 @@\n g();\n"));
    CHECK_THAT(diff, Catch::Matchers::EndsWith("\\ No newline at end of file\n+b.store(2, std::memory_order_relaxed);\n"
                                               "\\ No newline at end of file\n"));
}

TEST_CASE("what is around a diff does not keep patch or git from applying it") {
    const source_patch patch = long_patch();
    REQUIRE(patch.files.size() == 1);
    for (const std::string tool : {"patch -p1 <fix", "git apply fix"}) {
        std::string name = (std::filesystem::temp_directory_path() / "ordeal_patch.XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        const std::filesystem::path folder = name;
        std::filesystem::create_directory(folder / "src");
        std::ofstream(folder / file, std::ios::binary) << patch.files[0].before;
        std::ofstream(folder / "fix", std::ios::binary) << "latch: held as written; 1 scenario\n\n= as written\n"
                                                        << unified_diff(patch) << "\n1 subject audited\n";
        CAPTURE(tool);
        CHECK(std::system(("cd " + name + " && " + tool + " >/dev/null").c_str()) == 0);
        CHECK(content(folder / file) == patch.files[0].after);
        std::filesystem::remove_all(folder);
    }
}
