// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that are copied with bytes which nobody has written: padding, what a union does not hold, the value of an empty optional.
// That is no read of a value; a use of the copy is one.
#include "model_tests/plain/programs/programs.hpp"

#include <algorithm>
#include <any>
#include <cstring>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace ordeal::model_tests {

namespace {

// The first thread makes something, and the second looks at it if it is there in time.
template <class Program>
struct copied {
    static constexpr auto threads = std::array{"maker", "user"};
    using made = decltype(Program::make())::element_type;
    std::atomic<made*> pointer{nullptr};

    void run(int thread) {
        if (thread == 0) {
            pointer.store(Program::make().release(), release);
        } else if (made* const found = pointer.load(acquire)) {
            Program::use(*found);
        }
    }
    void finish() const { delete pointer.load(); }
};

template <class Program>
using finds_no_value = wrong<copied<Program>, violation_kind::uninitialised_read>;

using numbered = std::pair<long, int>;

struct job {
    const char* name;
    int priority;
    job(const char* its_name, int its_priority) : name(its_name), priority(its_priority) {}
};

// ---- Elements of containers ----

struct sorted {
    static auto make() {
        return std::make_unique<std::vector<numbered>>(std::initializer_list<numbered>{{3, 1}, {1, 2}, {2, 0}});
    }
    static void use(std::vector<numbered>& all) {
        auto copy = all;
        std::sort(copy.begin(), copy.end());
        std::sort(all.begin(), all.end(), [](auto a, auto b) { return a.second < b.second; });
        long sum = 0;
        for (auto each : copy) sum = sum * 10 + each.first;
        require(sum == 123 && all.front().second == 0);
    }
};

struct looked_up {
    static auto make() { return std::make_unique<std::map<int, numbered>>(); }
    static void use(std::map<int, numbered>& all) {
        all[3] = {1, 2};
        const auto copy = all[3];
        for (auto [key, value] : all) require(key == 3 && value.second == copy.second);
        all.erase(3);
    }
};

template <class Container>
struct taken_from {
    static auto make() { return std::make_unique<Container>(); }
    static void use(Container& all) {
        all.emplace_back("a", 1);
        all.emplace_back("b", 2);
        const auto first = all.front();
        auto last = all.back();
        std::swap(all.front(), all.back());
        all.pop_back();
        last = all.front();
        require(first.priority == 1 && last.priority == 2);
    }
};

struct queued {
    static auto make() { return std::make_unique<std::queue<numbered>>(); }
    static void use(std::queue<numbered>& all) {
        all.emplace(1, 2);
        all.push(numbered(3, 4));
        auto [a, b] = all.front();
        all.pop();
        require(a == 1 && b == 2);
    }
};

struct hashed {
    static auto make() { return std::make_unique<std::unordered_map<int, numbered>>(); }
    static void use(std::unordered_map<int, numbered>& all) {
        all.emplace(1, numbered(1, 2));
        const auto found = *all.find(1);
        require(found.second.second == 2);
    }
};

// ---- One or the other ----

template <class T>
struct without_a_value {
    static auto make() { return std::make_unique<std::vector<T>>(2); }
    static void use(std::vector<T>& all) {
        const T copy = all.back();
        all.push_back(copy);
        std::swap(all[0], all[1]);
        require(!copy.has_value() && !all[2].has_value());
    }
};

struct variants {
    using either = std::variant<int, double, char>;
    static auto make() { return std::make_unique<std::vector<either>>(1, either(2)); }
    static void use(std::vector<either>& all) {
        const either copy = all.back();
        all.emplace_back('c');
        all.push_back(copy);
        require(std::get<0>(all[2]) == 2 && std::get<char>(all[1]) == 'c');
    }
};

struct result {
    union {
        long value;
        char error;
    };
    bool has_value;
};

struct results {
    static auto make() {
        auto made = std::make_unique_for_overwrite<result>();
        made->error = 'e';
        made->has_value = false;
        return made;
    }
    static void use(const result& made) {
        const result copy = made;
        auto again = std::make_unique<result>(copy);
        require(again->has_value ? again->value == 1 : again->error == 'e');
    }
};

// ---- Members with room between them ----

struct mixed {
    bool first = true;
    long second = 2;
    short third = 3;
    unsigned low : 3 = 4;
    unsigned high : 11 = 500;
    char last = 'l';
};

[[gnu::noinline]] mixed passed_on(mixed by_value) { return by_value; }

struct members {
    static auto make() { return std::make_unique<mixed>(); }
    static void use(mixed& made) {
        mixed copy = made;
        copy.high = 7;
        const auto other = std::make_unique<mixed>(passed_on(copy));
        const bool chosen = made.first;
        const mixed third = chosen ? *other : made;
        made.low = 1;
        std::swap(made, *other);
        require(third.high == 7 && made.low == 4 && other->low == 1 && other->last == 'l');
    }
};

struct tuples {
    using both = std::tuple<char, long, short>;
    static auto make() { return std::make_unique<both>('a', 2, short{3}); }
    static void use(both& made) {
        auto copy = made;
        std::get<0>(copy) = 'b';
        made = copy;
        require(std::get<0>(made) == 'b' && std::get<2>(made) == 3);
    }
};

// ---- What the library keeps in a few bytes ----

struct strings {
    static auto make() { return std::make_unique<std::vector<std::string>>(1, "short"); }
    static void use(std::vector<std::string>& all) {
        all.emplace_back("a string that is too long to be kept in itself");
        std::swap(all[0], all[1]);
        std::string moved = std::move(all[1]);
        all.push_back(moved);
        require(moved == "short" && all[2].size() == 5);
    }
};

struct functions {
    static auto make() {
        return std::make_unique<std::function<int()>>([] { return 1; });
    }
    static void use(std::function<int()>& made) {
        char two = 2;
        std::function<int()> other = [two] { return two; };
        std::swap(made, other);
        const auto copy = made;
        require(copy() == 2 && other() == 1);
    }
};

struct anything {
    static auto make() { return std::make_unique<std::any>('a'); }
    static void use(std::any& made) {
        std::any copy = made;
        std::any other = 5;
        copy.swap(other);
        made = std::move(copy);
        require(std::any_cast<int>(made) == 5 && std::any_cast<char>(other) == 'a');
    }
};

struct coded : std::runtime_error {
    long code;
    char kind;
    coded() : std::runtime_error("coded"), code(1), kind('k') {}
};

struct thrown {
    static auto make() { return std::make_unique<coded>(); }
    static void use(const coded& made) {
        try {
            throw made;
        } catch (coded copy) {
            require(copy.kind == 'k');
        }
    }
};

// ---- Bytes ----

struct as_bytes {
    static auto make() { return std::make_unique<mixed>(); }
    static void use(mixed& made) {
        unsigned char bytes[sizeof(mixed)];
        std::memcpy(bytes, &made, sizeof(mixed));
        const auto other = std::make_unique<mixed>();
        other->last = 'o';
        const auto* const from = reinterpret_cast<const unsigned char*>(&made);
        auto* const to = reinterpret_cast<unsigned char*>(other.get());
        for (std::size_t i = 0; i < sizeof(mixed); ++i) to[i] = from[i];
        std::copy(from, from + sizeof(mixed), bytes);
        std::memmove(&made, bytes, sizeof(mixed));
        require(other->last == 'l' && made.third == 3);
    }
};

struct partly_filled {
    struct buffer {
        char text[16];
        std::size_t size;
    };
    static auto make() {
        auto made = std::make_unique_for_overwrite<buffer>();
        std::strcpy(made->text, "abc");
        made->size = 3;
        return made;
    }
    static void use(const buffer& made) {
        const buffer copy = made;
        auto again = std::make_unique<buffer>(copy);
        for (std::size_t i = 0; i < sizeof(made.text); ++i) again->text[i] = made.text[i];
        std::size_t found = 0;
        while (copy.text[found] != '\0') ++found;
        require(found == copy.size && again->text[2] == 'c');
    }
};

// ---- A use of the copy ----

struct half_made {
    long made;
    int forgotten;
};

struct made_by_half {
    static auto make() {
        auto made = std::make_unique_for_overwrite<half_made>();
        made->made = 1;
        return made;
    }
};

struct member_of_copy : made_by_half {
    static void use(const half_made& made) {
        const half_made copy = made;
        require(copy.forgotten != 42);
    }
};

struct member_of_second_copy : made_by_half {
    static void use(const half_made& made) {
        const half_made copy = made;
        const auto again = std::make_unique<half_made>(copy);
        require(again->forgotten != 42);
    }
};

struct member_of_element : made_by_half {
    static void use(const half_made& made) {
        std::vector<half_made> all(1, made);
        all.push_back(made);
        std::sort(all.begin(), all.end(), [](auto a, auto b) { return a.forgotten < b.forgotten; });
    }
};

struct member_of_either : made_by_half {
    static void use(const half_made& made) {
        const half_made other{1, 2};
        const half_made copy = made.made == 1 ? made : other;
        require(copy.forgotten != 42);
    }
};

struct member_moved_as_bytes : made_by_half {
    static void use(const half_made& made) {
        const auto other = std::make_unique_for_overwrite<half_made>();
        std::memcpy(other.get(), &made, sizeof made);
        require(other->forgotten != 42);
    }
};

struct index_of_copy : made_by_half {
    static void use(const half_made& made) {
        constexpr std::array<int, 4> table{1, 2, 3, 4};
        const half_made copy = made;
        require(table[static_cast<std::size_t>(copy.forgotten & 3)] != 42);
    }
};

struct value_of_result {
    static auto make() {
        auto made = std::make_unique_for_overwrite<result>();
        made->has_value = true;
        return made;
    }
    static void use(const result& made) {
        const result copy = made;
        require(!copy.has_value || copy.value != 42);
    }
};

struct sum_of_bytes {
    static auto make() { return std::make_unique<numbered>(1, 2); }
    static void use(const numbered& made) {
        unsigned sum = 0;
        for (std::size_t i = 0; i < sizeof made; ++i) sum += reinterpret_cast<const unsigned char*>(&made)[i];
        require(sum != 42);
    }
};

struct compared_as_bytes {
    static auto make() { return std::make_unique<numbered>(1, 2); }
    static void use(const numbered& made) {
        const auto other = std::make_unique<numbered>(made);
        require(std::memcmp(&made, other.get(), sizeof made) != 42);
    }
};

// ---- Padding that another object lies in ----

struct named_number {
    const char* name;
    int number;
    named_number() : name(nullptr), number(0) {}
};
struct with_more : named_number {
    int more = 0;
};

template <auto Written>
struct base_is_copied {
    static constexpr auto threads = std::array{"copies", "writes"};
    with_more both;
    int seen = 0;

    void run(int thread) {
        if (thread == 1) {
            both.*Written = 1;
        } else {
            const named_number copy = both;
            seen = copy.number;
        }
    }
    void finish() const { require(seen == 0); }
};

// ---- Values of atomics ----

struct padded {
    char kind;
    int value;
};

// Two values are the same whatever is in the padding of either.
struct padded_atomic {
    static constexpr auto threads = std::array{"exchanges", "replaces"};
    std::atomic<padded> both{padded{1, 2}};
    bool exchanged = false;

    void run(int thread) {
        if (thread == 0) {
            padded expected{0, 0};
            std::memset(static_cast<void*>(&expected), 0x55, sizeof expected);
            expected.kind = 1;
            expected.value = 2;
            exchanged = both.compare_exchange_strong(expected, {3, 4});
            if (!exchanged) require(expected.value == 5);
        } else {
            padded other = both.load();
            other.value = 5;
            both.store(other);
        }
    }
    void finish() const {
        const int value = both.load().value;
        require(value == 5 || (exchanged && value == 4));
    }
};

ORDEAL_SCENARIO("programs/copy_sorted", copied<sorted>);
ORDEAL_SCENARIO("programs/copy_looked_up", copied<looked_up>);
ORDEAL_SCENARIO("programs/copy_from_vector", copied<taken_from<std::vector<job>>>);
ORDEAL_SCENARIO("programs/copy_from_deque", copied<taken_from<std::deque<job>>>);
ORDEAL_SCENARIO("programs/copy_from_list", copied<taken_from<std::list<job>>>);
ORDEAL_SCENARIO("programs/copy_queued", copied<queued>);
ORDEAL_SCENARIO("programs/copy_hashed", copied<hashed>);
ORDEAL_SCENARIO("programs/copy_optional_long", copied<without_a_value<std::optional<long>>>);
ORDEAL_SCENARIO("programs/copy_optional_int", copied<without_a_value<std::optional<int>>>);
ORDEAL_SCENARIO("programs/copy_optional_pair", copied<without_a_value<std::optional<numbered>>>);
ORDEAL_SCENARIO("programs/copy_variants", copied<variants>);
ORDEAL_SCENARIO("programs/copy_results", copied<results>);
ORDEAL_SCENARIO("programs/copy_members", copied<members>);
ORDEAL_SCENARIO("programs/copy_tuples", copied<tuples>);
ORDEAL_SCENARIO("programs/copy_strings", copied<strings>);
ORDEAL_SCENARIO("programs/copy_functions", copied<functions>);
ORDEAL_SCENARIO("programs/copy_anything", copied<anything>);
ORDEAL_SCENARIO("programs/copy_thrown", copied<thrown>);
ORDEAL_SCENARIO("programs/copy_as_bytes", copied<as_bytes>);
ORDEAL_SCENARIO("programs/copy_partly_filled", copied<partly_filled>);
ORDEAL_SCENARIO("programs/copy_used", finds_no_value<member_of_copy>);
ORDEAL_SCENARIO("programs/copy_of_copy_used", finds_no_value<member_of_second_copy>);
ORDEAL_SCENARIO("programs/copy_as_element_used", finds_no_value<member_of_element>);
ORDEAL_SCENARIO("programs/copy_of_either_used", finds_no_value<member_of_either>);
ORDEAL_SCENARIO("programs/copy_as_bytes_used", finds_no_value<member_moved_as_bytes>);
ORDEAL_SCENARIO("programs/copy_used_as_index", finds_no_value<index_of_copy>);
ORDEAL_SCENARIO("programs/copy_value_of_result_used", finds_no_value<value_of_result>);
ORDEAL_SCENARIO("programs/copy_sum_of_bytes", finds_no_value<sum_of_bytes>);
ORDEAL_SCENARIO("programs/copy_compared_as_bytes", finds_no_value<compared_as_bytes>);
ORDEAL_SCENARIO("programs/copy_base", met<base_is_copied<&with_more::more>>);
ORDEAL_SCENARIO("programs/copy_base_written", wrong<base_is_copied<&named_number::number>, violation_kind::data_race>);
ORDEAL_SCENARIO("programs/copy_in_atomic", padded_atomic);

}  // namespace

}  // namespace ordeal::model_tests
