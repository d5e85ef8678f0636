// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/plain/mixed_sizes/program.hpp"

#include <random>
#include <string_view>

namespace ordeal::model_tests::mixed_sizes {

namespace {

program current;

// The distributions of the standard library differ from one to another.
class choices {
public:
    explicit choices(std::uint64_t seed) : next_(seed) {}

    [[nodiscard]] std::size_t below(std::size_t count) { return next_() % count; }
    template <class T, std::size_t Count>
    [[nodiscard]] T one_of(const std::array<T, Count>& all) {
        return all[below(Count)];
    }

private:
    std::mt19937_64 next_;
};

instruction random_instruction(choices& chosen, orders which, int value) {
    constexpr std::array what{operation::load,  operation::load,     operation::store,
                              operation::store, operation::exchange, operation::compare_exchange};
    constexpr std::array of{part::first, part::second, part::both};
    constexpr std::array some{ordering::relaxed, ordering::acquire_release};
    instruction result{chosen.one_of(what), chosen.one_of(of), value, ordering::relaxed};
    if (which == orders::acquire_release) result.how = chosen.one_of(some);
    if (which == orders::seq_cst) result.how = ordering::seq_cst;
    return result;
}

}  // namespace

program random_program(std::uint64_t seed, orders which) {
    choices chosen(seed);
    program result;
    result.size = chosen.one_of(std::array<std::size_t, 3>{2, 2, 3});
    int value = 0;
    for (std::size_t thread = 0; thread < result.size; ++thread) {
        thread_code& code = result.threads[thread];
        code.size = 1 + chosen.below(result.size == 2 ? 3 : 2);
        for (std::size_t i = 0; i < code.size; ++i) code.at[i] = random_instruction(chosen, which, ++value);
    }
    return result;
}

std::string to_string(const program& what) {
    constexpr std::array<std::string_view, 4> names{"load", "store", "exchange", "compare_exchange"};
    constexpr std::array<std::string_view, 3> parts{"first", "second", "both"};
    constexpr std::array<std::string_view, 3> how{"relaxed", "acquire/release", "seq_cst"};
    std::string text;
    for (std::size_t thread = 0; thread < what.size; ++thread) {
        for (std::size_t i = 0; i < what.threads[thread].size; ++i) {
            const instruction& each = what.threads[thread].at[i];
            text += std::string(parts[static_cast<std::size_t>(each.of)]) + '.' +
                    std::string(names[static_cast<std::size_t>(each.what)]) + '(';
            if (each.what != operation::load) text += std::to_string(each.value) + ", ";
            text += std::string(how[static_cast<std::size_t>(each.how)]) + "); ";
        }
        text += '\n';
    }
    return text;
}

const program& current_program() { return current; }
void set_current_program(const program& what) { current = what; }

}  // namespace ordeal::model_tests::mixed_sizes
