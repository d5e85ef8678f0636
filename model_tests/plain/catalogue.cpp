// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One of everything that makes a compiler emit a call of its own under -fsanitize=thread. What matters is that each of
// those calls is defined; the assertions are there so that nothing is optimised away, and see that it is done right.
#include "catalogue.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <coroutine>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

// What it does is not how anybody should do it.
// NOLINTBEGIN
namespace catalogue {

// ---- Plain accesses: each size, by pointers that could be anybody's ----

template <class T>
[[gnu::noinline]] void plain(T* values) {
    values[1] = values[0];
    values[2] = static_cast<T>(values[1] + values[0]);
    ++values[0];
}

template <class T>
[[gnu::noinline]] void plain_volatile(volatile T* values) {
    values[1] = values[0];
    values[0] = static_cast<T>(values[0] + 1);
}

template <class T>
struct [[gnu::packed]] displaced {
    char before;
    T value;
    char after[3];
};

template <class T>
[[gnu::noinline]] void unaligned(displaced<T>* left, volatile displaced<T>* right) {
    left->value = static_cast<T>(left->value + 1);
    right->value = left->value;
    left->value = right->value;
}

template <class T>
void each_way() {
    std::array<T, 3> values{1, 2, 3};
    plain(values.data());
    plain_volatile(values.data());
    displaced<T> left{'a', 1, {}};
    displaced<T> right{'b', 2, {}};
    unaligned(&left, &right);
    assert(values[0] == 3 && values[1] == 2 && values[2] == 2 && right.value == 2);
}

using lanes [[gnu::vector_size(16)]] = float;

[[gnu::noinline]] void vectors(lanes* values, long double* numbers) {
    values[1] = values[0] + values[0];
    numbers[1] = numbers[0] * 2;
}

struct fields {
    unsigned low : 3;
    unsigned high : 13;
    int : 0;
    long long wide : 40;
    bool flag : 1;
};

[[gnu::noinline]] void bit_fields(fields* all) {
    all->low = all->high & 7U;
    ++all->high;
    all->wide = all->wide * 3;
    all->flag = !all->flag;
}

template <std::size_t Size>
struct block {
    std::array<char, Size> bytes;
};

template <std::size_t Size>
[[gnu::noinline]] void copy_blocks(block<Size>* all, std::size_t last) {
    all[1] = all[0];
    all[last] = block<Size>{};
    all[0] = std::move(all[last]);
}

template <std::size_t Size>
void each_block_of() {
    std::array<block<Size>, 3> all{};
    all[0].bytes.fill('x');
    copy_blocks(all.data(), 2);
    assert(all[1].bytes[0] == 'x' && all[0].bytes[0] == '\0');
}

template <std::size_t... Sizes>
void each_block(std::index_sequence<Sizes...> /*sizes*/) {
    (each_block_of<Sizes + 1>(), ...);
}

void plain_accesses() {
    each_way<std::int8_t>();
    each_way<std::int16_t>();
    each_way<std::int32_t>();
    each_way<std::int64_t>();
    each_way<int128>();
    each_way<float>();
    each_way<double>();
    std::array<lanes, 2> values{};
    std::array<long double, 2> numbers{1.5L, 0};
    vectors(values.data(), numbers.data());
    fields all{1, 2, 3, false};
    bit_fields(&all);
    assert(numbers[1] == 3 && all.low == 2 && all.high == 3 && all.wide == 9 && all.flag);
    each_block(std::make_index_sequence<40>());
    each_block(std::index_sequence<63, 64, 127, 199, 1000>());
}

// ---- Objects: virtual tables, exceptions, storage durations ----

struct shape {
    shape() { tag = sides(); }
    shape(const shape&) = default;
    shape& operator=(const shape&) = default;
    virtual ~shape() { tag = 0; }
    [[nodiscard]] virtual int sides() const { return 0; }
    int tag = 0;
};
struct coloured : virtual shape {
    [[nodiscard]] int sides() const override { return 1; }
    int colour = 7;
};
struct square : coloured, virtual shape {
    square() { tag += sides(); }
    ~square() override { tag = -sides(); }
    [[nodiscard]] int sides() const override { return 4; }
};

[[gnu::noinline]] int use(shape* any) {
    const auto* const one = dynamic_cast<coloured*>(any);
    return any->sides() + (one != nullptr ? one->colour : 0) + (typeid(*any) == typeid(square) ? 100 : 0);
}

[[gnu::noinline]] int thrower(int* depth) {
    if (++*depth > 3) throw std::runtime_error("deep");
    try {
        return thrower(depth);
    } catch (const std::exception& error) {
        *depth += static_cast<int>(std::strlen(error.what()));
        throw;
    }
}

int dynamically_initialised = use(std::make_unique<square>().get());
thread_local int per_thread = 3;
thread_local std::string per_thread_text = "text";
inline const std::vector<int> inline_variable{1, 2, 3};

[[gnu::noinline]] int& counter() {
    static int value = dynamically_initialised;
    return value;
}

void objects() {
    const auto any = std::make_unique<square>();
    assert(use(any.get()) == 111 && any->tag == 4);
    int depth = 0;
    try {
        (void)thrower(&depth);
        assert(false);
    } catch (const std::runtime_error&) {
        assert(depth == 16);
    }
    ++counter();
    ++per_thread;
    per_thread_text += " and more";
    assert(counter() > 100 && per_thread > 3 && inline_variable.size() == 3);
    const std::unique_ptr<shape[]> shapes(new shape[3]);
    int (shape::* const function)() const = &shape::sides;
    int shape::* const member = &shape::tag;
    assert((shapes[1].*function)() == 0 && shapes[2].*member == 0);
}

// ---- Coroutines, closures, containers ----

struct task {
    struct promise_type {
        task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int next) {
            value = next;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { throw; }
        int value = 0;
    };
    std::coroutine_handle<promise_type> handle;
};

task numbers(int from, std::string text) {  // a reference would outlive the argument
    std::array<int, 4> kept{from, 2, 3, 4};
    for (int& each : kept) co_yield each++;
    co_yield static_cast<int>(text.size());
}

void library() {
    const task all = numbers(5, "four");
    int sum = 0;
    while (!all.handle.done()) {
        all.handle.resume();
        sum += all.handle.promise().value;
    }
    all.handle.destroy();
    assert(sum == 5 + 2 + 3 + 4 + 4 + 4);
    std::function<int(int)> closure = [&sum, text = std::string("kept")](int more) {
        return sum += more + static_cast<int>(text.size());
    };
    assert(closure(1) == 27);
    std::map<std::string, std::vector<int>> table{{"a", {1, 2}}, {"b", {3}}};
    table["a"].push_back(9);
    std::variant<int, std::string> either = table.begin()->first;
    std::vector<bool> bits(100);
    bits[70] = std::holds_alternative<std::string>(either);
    std::ranges::sort(table["a"], std::ranges::greater());
    auto even = table["a"] | std::views::filter([](int each) { return each % 2 == 0; });
    assert(*even.begin() == 2 && bits[70] && std::accumulate(table["a"].begin(), table["a"].end(), 0) == 12);
}

// ---- Functions of the C library ----

[[gnu::noinline]] int formatted(char* to, std::size_t room, const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(to, room, format, arguments);
    va_end(arguments);
    return length;
}

[[gnu::noinline]] void memory_functions(char* to, char* from, std::size_t size) {
    std::memset(from, 'a', size);
    from[size - 1] = '\0';
    std::memcpy(to, from, size);
    std::memmove(to + 1, to, size - 1);
    assert(std::memcmp(to, from, size - 1) == 0 && std::memcmp(to, "b", 1) < 0);
    assert(std::memchr(from, '\0', size) == from + size - 1 && memrchr(from, 'a', size) == from + size - 2);
    assert(mempcpy(to, from, size) == to + size && bcmp(to, from, size) == 0);
    std::memset(to, 0, 48);
    std::memcpy(to, from, 32);
    __builtin_memmove(to + 1, to, 24);
}

[[gnu::noinline]] void text_functions(char* to, const char* from) {
    assert(std::strcpy(to, from) == to && std::strlen(to) == std::strlen(from) && std::strcmp(to, from) == 0);
    assert(stpcpy(to, from) == to + std::strlen(from) && strnlen(to, 2) == 2 && std::strncmp(to, from, 3) == 0);
    std::strcat(to, from);
    std::strncat(to, from, 2);
    assert(std::strlen(to) == 2 * std::strlen(from) + 2 && std::strchr(to, from[0]) == to);
    assert(std::strrchr(to, from[0]) == to + 2 * std::strlen(from) && std::strchr(to, '#') == nullptr);
    std::strncpy(to, from, 12);
    assert(std::snprintf(to, 40, "%d %s", 3, from) == formatted(to, 40, "%d %s", 3, from));
    assert(std::sprintf(to, "%s", from) == static_cast<int>(std::strlen(to)));
}

void functions() {
    std::array<char, 200> to{};
    std::array<char, 100> from{};
    memory_functions(to.data(), from.data(), from.size());
    text_functions(to.data(), "a text");
}

}  // namespace catalogue
// NOLINTEND
