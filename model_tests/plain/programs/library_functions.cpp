// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions of the C library, and of what libstdc++ has compiled, do to memory: two threads that call them on the same
// object, with a mutex and without one.
#include "model_tests/plain/programs/programs.hpp"

#include <pthread.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cwchar>
#include <iomanip>
#include <iostream>
#include <list>
#include <locale>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace ordeal::model_tests {

namespace {

// `What::first` and `What::second` on one object.
template <class What, bool Locked>
struct both_call {
    static constexpr auto threads = std::array{"first", "second"};
    std::mutex mutex;
    What what;

    void run(int thread) {
        std::unique_lock lock(mutex, std::defer_lock);
        if (Locked) lock.lock();
        if (thread == 0) {
            what.first();
        } else {
            what.second();
        }
    }
};

struct number_scanned {
    int value = 1;

    void first() { require(std::sscanf("42", "%d", &value) == 1); }  // NOLINT(cert-err34-c)
    void second() const { require(value != 0); }
};

struct text_printed {
    std::array<char, 8> text{"one"};

    void first() const {
        std::array<char, 32> to{};
        require(std::snprintf(to.data(), to.size(), "%d %.3f %s", 1, 2.0, text.data()) > 0);
    }
    void second() { text[1] = 'x'; }
};

struct tokens {
    static void take(std::array<char, 8> text) { require(std::strtok(text.data(), " ") != nullptr); }

    void first() const { take({"a b"}); }
    void second() const { take({"c d"}); }
};

struct tokens_of_its_own {
    static void take(std::array<char, 8> text) {
        char* rest = nullptr;
        require(::strtok_r(text.data(), " ", &rest) != nullptr && *rest != '\0');
    }

    void first() const { take({"a b"}); }
    void second() const { take({"c d"}); }
};

struct environment {
    void first() const { require(::setenv("ORDEAL_TEST", "1", 1) == 0); }
    void second() const { (void)std::getenv("ORDEAL_TEST"); }
};

// Before main, which is before any search.
const bool asked_at_start = std::getenv("ORDEAL_TEST_START") != nullptr;

struct environment_read {
    void first() const { require(std::getenv("ORDEAL_TEST") == nullptr); }
    void second() const { require(std::getenv("ORDEAL_TEST") == nullptr || asked_at_start); }
};

struct broken_down_time {
    static void ask() {
        const std::time_t when = 0;
        require(std::gmtime(&when)->tm_year == 70);
    }

    void first() const { ask(); }
    void second() const { ask(); }
};

// Each execution finds what was there before the first one.
struct variable_of_library {
    void first() const { require(std::exchange(optind, 3) == 1); }
    void second() const { require(optind > 0); }
};

// The calls are under a lock, and what they return is read behind it.
struct broken_down_time_kept {
    std::mutex calls;

    [[nodiscard]] int year() {
        const std::time_t when = 0;
        const std::tm* kept = nullptr;
        {
            const std::lock_guard lock(calls);
            kept = std::gmtime(&when);
        }
        return kept->tm_year;
    }
    void first() { require(year() == 70); }
    void second() { require(year() == 70); }
};

struct time_as_text_kept {
    std::mutex calls;

    void first() {
        const std::time_t when = 0;
        const char* kept = nullptr;
        {
            const std::lock_guard lock(calls);
            kept = std::ctime(&when);
        }
        require(kept[0] != '\0');
    }
    void second() {
        const std::tm when{};
        const std::lock_guard lock(calls);
        require(std::asctime(&when) != nullptr);
    }
};

struct sorted {
    std::array<int, 3> values{3, 1, 2};

    static int compare(const void* left, const void* right) {
        return *static_cast<const int*>(left) - *static_cast<const int*>(right);
    }
    void first() { std::qsort(values.data(), values.size(), sizeof(int), &compare); }
    void second() const { require(values[1] != 0); }
};

struct wide_copied {
    std::array<wchar_t, 4> text{L"abc"};

    void first() { std::wmemcpy(text.data(), L"xyz", 3); }
    void second() const { require(text[0] != L'\0'); }
};

struct number_parsed {
    std::array<char, 4> text{"42"};

    void first() const { require(std::strtol(text.data(), nullptr, 10) != 0); }
    void second() { text[1] = '3'; }
};

struct floating_written {
    std::array<char, 16> text{};

    void first() { require(std::to_chars(text.data(), text.data() + text.size(), 1.5).ec == std::errc()); }
    void second() const { require(text[0] != 'x'); }
};

struct floating_read {
    std::array<char, 4> text{"1.5"};

    void first() const {
        double value = 0;
        require(std::from_chars(text.data(), text.data() + 3, value).ec == std::errc());
    }
    void second() { text[2] = '7'; }
};

// The program's own streams may be used at once ([iostream.objects.overview]); what is printed is another matter.
struct string_to_cout {
    std::string text{"abc"};

    void first() const { std::cout << text; }
    void second() { text[1] = 'x'; }
};
struct array_to_cout {
    std::array<char, 3> text{'a', 'b', 'c'};

    void first() const { std::cout.write(text.data(), text.size()); }
    void second() { text[2] = 'x'; }
};
struct all_to_cout {
    static void print() { std::cout << 1 << "x" << 2.5 << std::string("text") << 'c' << true << std::endl; }

    void first() const { print(); }
    void second() const { print(); }
};
struct array_to_cout_freed {
    static constexpr auto threads = std::array{"first", "second"};

    void run(int thread) {
        meet();
        if (thread != 0) return;
        auto* const text = new char[3]{'a', 'b', 'c'};
        delete[] text;
        std::cout.write(text, 3);
    }
};

// A facet is called by its table of virtual functions.
struct in_upper_case {
    std::array<char, 3> text{'a', 'b', 'c'};

    void first() {
        std::use_facet<std::ctype<char>>(std::locale::classic()).toupper(text.data(), text.data() + text.size());
        require(text[2] == 'C');
    }
    void second() const { require(text[2] != 'x'); }
};

struct text_converted {
    std::array<wchar_t, 3> to{};

    void first() {
        using converter = std::codecvt<wchar_t, char, std::mbstate_t>;
        const std::array<char, 3> from{'a', 'b', 'c'};
        std::mbstate_t state{};
        const char* rest = nullptr;
        wchar_t* end = nullptr;
        std::use_facet<converter>(std::locale::classic())
            .in(state, from.data(), from.data() + from.size(), rest, to.data(), to.data() + to.size(), end);
        require(to[2] == L'c');
    }
    void second() const { require(to[2] != L'x'); }
};

struct time_to_stream {
    std::tm time{};

    void first() const {
        std::ostringstream to;
        to << std::put_time(&time, "%H:%M");
        require(to.str() == "00:00");
    }
    void second() { time.tm_year = 1; }
};

struct time_from_stream {
    std::tm time{};

    void first() {
        std::istringstream from("12:30");
        from >> std::get_time(&time, "%H:%M");
        require(time.tm_hour == 12 && time.tm_min == 30);
    }
    void second() const { require(time.tm_sec == 0); }
};

struct number_to_stream {
    std::ostringstream to;

    void first() { to << 1; }
    void second() { to << 2.5; }
};

template <class Number>
struct number_from_stream {
    Number value = 1;

    void first() {
        std::istringstream from("1");
        require(static_cast<bool>(from >> value));
        require(value == 1);
    }
    void second() const { require(value == 1); }
};

struct two_numbers_from_stream {
    std::istringstream from{"1 2"};

    void take() {
        int value = 0;
        from >> value;
        require(value != 0);
    }
    void first() { take(); }
    void second() { take(); }
};

template <bool To_array>
struct line_from_stream {
    std::string line;
    std::array<char, 8> array{};

    void first() {
        std::istringstream from("a long line of more characters than a string has itself\nshort\nlast");
        if (To_array) {
            from.ignore(100, '\n');
            require(static_cast<bool>(from.getline(array.data(), array.size())) && from.gcount() == 6);
            require(std::strcmp(array.data(), "short") == 0);
        } else {
            require(static_cast<bool>(std::getline(from, line)));
            require(line.size() == 55 && line[7] == 'l');
        }
    }
    void second() const {
        if (To_array) {
            require(array[5] == '\0');
        } else {
            require(line.empty() || line[54] == 'f');
        }
    }
};

struct word_from_stream {
    std::string word{"x"};

    void first() {
        std::istringstream from(" word of others");
        from >> word;
        require(word == "word");
    }
    void second() const { require(!word.empty()); }
};

// Without input nothing is stored, not even an end.
struct no_word_from_stream {
    static constexpr auto threads = std::array{"takes", "looks"};
    std::array<char, 4> text{'a', 'b', 'c', 'd'};
    int next = 1;

    void run(int thread) {
        if (thread == 0) {
            std::istringstream from(" ");
            from >> *reinterpret_cast<char(*)[4]>(text.data());
            require(from.fail() && from.width() == 0);
        } else {
            require(text[0] == 'a' && next == 1);
            next = 2;
        }
    }
};

struct lines_of_one_stream {
    std::istringstream from{"one\ntwo\n"};

    void take() {
        std::string line;
        std::getline(from, line);
        require(line.size() == 3);
    }
    void first() { take(); }
    void second() { take(); }
};

struct spliced {
    std::list<int> from{1, 2};
    std::list<int> to{3};

    void first() { to.splice(to.end(), from); }
    void second() const { require(to.front() == 3 && *++to.begin() != 0); }
};

struct walked {
    std::map<int, int> values{{1, 1}, {2, 2}, {3, 3}};

    void first() const {
        int sum = 0;
        for (const auto& each : values) sum += each.first;
        require(sum > 5);
    }
    void second() { values.emplace(4, 4); }
};

struct text_of_exception {
    std::string text = "a text that is longer than a string has room for";

    void first() const { require(std::runtime_error(text).what() != nullptr); }
    void second() { text[30] = 'x'; }
};

template <class What>
using races = wrong<both_call<What, false>, violation_kind::data_race>;
template <class What>
using locked = both_call<What, true>;

// Made before main, and deleted at the end of each execution, as Google's tests do.
struct key {
    pthread_key_t made{};

    key() { pthread_key_create(&made, nullptr); }
    ~key() {
        if (pthread_key_delete(made) != 0) std::abort();
    }
    key(const key&) = delete;
    key& operator=(const key&) = delete;
};
const key made_before_main;  // NOLINT(cert-err58-cpp)

struct key_made_before_main {
    static constexpr auto threads = std::array{"sets", "sets"};
    std::atomic<int> order{0};

    void run(int /*thread*/) {
        require(pthread_getspecific(made_before_main.made) == nullptr);
        require(pthread_setspecific(made_before_main.made, this) == 0);
        order.fetch_add(1);
        require(pthread_getspecific(made_before_main.made) == this);
    }
};

// The handle of a thread is an object, too.
struct joined_by_both {
    static constexpr auto threads = std::array{"first", "second"};
    std::thread worker{};
    std::atomic<bool> begun{false};

    void run(int thread) {
        if (thread == 0) {
            worker = std::thread([] {});
            begun.store(true);
            if (worker.joinable()) worker.join();
        } else if (begun.load()) {
            if (worker.joinable()) worker.join();
        }
    }
};

ORDEAL_SCENARIO("programs/sscanf_unordered", races<number_scanned>);
ORDEAL_SCENARIO("programs/sscanf_locked", locked<number_scanned>);
ORDEAL_SCENARIO("programs/snprintf_unordered", races<text_printed>);
ORDEAL_SCENARIO("programs/snprintf_locked", locked<text_printed>);
ORDEAL_SCENARIO("programs/strtok_unordered", races<tokens>);
ORDEAL_SCENARIO("programs/strtok_locked", locked<tokens>);
ORDEAL_SCENARIO("programs/strtok_r_each_its_own", both_call<tokens_of_its_own, false>);
ORDEAL_SCENARIO("programs/setenv_unordered", races<environment>);
ORDEAL_SCENARIO("programs/setenv_locked", locked<environment>);
ORDEAL_SCENARIO("programs/getenv_by_both", both_call<environment_read, false>);
ORDEAL_SCENARIO("programs/gmtime_unordered", races<broken_down_time>);
ORDEAL_SCENARIO("programs/gmtime_locked", locked<broken_down_time>);
ORDEAL_SCENARIO("programs/gmtime_read_unlocked", races<broken_down_time_kept>);
ORDEAL_SCENARIO("programs/ctime_read_unlocked", races<time_as_text_kept>);
ORDEAL_SCENARIO("programs/optind_unordered", races<variable_of_library>);
ORDEAL_SCENARIO("programs/optind_locked", locked<variable_of_library>);
ORDEAL_SCENARIO("programs/qsort_unordered", races<sorted>);
ORDEAL_SCENARIO("programs/qsort_locked", locked<sorted>);
ORDEAL_SCENARIO("programs/wmemcpy_unordered", races<wide_copied>);
ORDEAL_SCENARIO("programs/wmemcpy_locked", locked<wide_copied>);
ORDEAL_SCENARIO("programs/strtol_unordered", races<number_parsed>);
ORDEAL_SCENARIO("programs/strtol_locked", locked<number_parsed>);
ORDEAL_SCENARIO("programs/to_chars_unordered", races<floating_written>);
ORDEAL_SCENARIO("programs/to_chars_locked", locked<floating_written>);
ORDEAL_SCENARIO("programs/from_chars_unordered", races<floating_read>);
ORDEAL_SCENARIO("programs/from_chars_locked", locked<floating_read>);
ORDEAL_SCENARIO("programs/string_to_cout_unordered", races<string_to_cout>);
ORDEAL_SCENARIO("programs/string_to_cout_locked", locked<string_to_cout>);
ORDEAL_SCENARIO("programs/array_to_cout_unordered", races<array_to_cout>);
ORDEAL_SCENARIO("programs/array_to_cout_locked", locked<array_to_cout>);
ORDEAL_SCENARIO("programs/array_to_cout_freed", wrong<array_to_cout_freed, violation_kind::use_after_free>);
ORDEAL_SCENARIO("programs/all_to_cout_by_both", met<both_call<all_to_cout, false>>);
ORDEAL_SCENARIO("programs/upper_case_unordered", races<in_upper_case>);
ORDEAL_SCENARIO("programs/upper_case_locked", locked<in_upper_case>);
ORDEAL_SCENARIO("programs/text_converted_unordered", races<text_converted>);
ORDEAL_SCENARIO("programs/text_converted_locked", locked<text_converted>);
ORDEAL_SCENARIO("programs/time_to_stream_unordered", races<time_to_stream>);
ORDEAL_SCENARIO("programs/time_to_stream_locked", locked<time_to_stream>);
ORDEAL_SCENARIO("programs/time_from_stream_unordered", races<time_from_stream>);
ORDEAL_SCENARIO("programs/time_from_stream_locked", locked<time_from_stream>);
ORDEAL_SCENARIO("programs/number_to_stream_unordered", races<number_to_stream>);
ORDEAL_SCENARIO("programs/number_to_stream_locked", locked<number_to_stream>);
ORDEAL_SCENARIO("programs/int_from_stream_unordered", races<number_from_stream<int>>);
ORDEAL_SCENARIO("programs/int_from_stream_locked", locked<number_from_stream<int>>);
ORDEAL_SCENARIO("programs/long_from_stream_unordered", races<number_from_stream<long>>);
ORDEAL_SCENARIO("programs/long_from_stream_locked", locked<number_from_stream<long>>);
ORDEAL_SCENARIO("programs/double_from_stream_unordered", races<number_from_stream<double>>);
ORDEAL_SCENARIO("programs/double_from_stream_locked", locked<number_from_stream<double>>);
ORDEAL_SCENARIO("programs/numbers_from_stream_unordered", races<two_numbers_from_stream>);
ORDEAL_SCENARIO("programs/numbers_from_stream_locked", locked<two_numbers_from_stream>);
ORDEAL_SCENARIO("programs/getline_unordered", races<line_from_stream<false>>);
ORDEAL_SCENARIO("programs/getline_locked", locked<line_from_stream<false>>);
ORDEAL_SCENARIO("programs/getline_to_array_unordered", races<line_from_stream<true>>);
ORDEAL_SCENARIO("programs/getline_to_array_locked", locked<line_from_stream<true>>);
ORDEAL_SCENARIO("programs/word_from_stream_unordered", races<word_from_stream>);
ORDEAL_SCENARIO("programs/word_from_stream_locked", locked<word_from_stream>);
ORDEAL_SCENARIO("programs/no_word_from_stream", no_word_from_stream);
ORDEAL_SCENARIO("programs/lines_of_one_stream_unordered", races<lines_of_one_stream>);
ORDEAL_SCENARIO("programs/lines_of_one_stream_locked", locked<lines_of_one_stream>);
ORDEAL_SCENARIO("programs/list_spliced_unordered", races<spliced>);
ORDEAL_SCENARIO("programs/list_spliced_locked", locked<spliced>);
ORDEAL_SCENARIO("programs/map_walked_unordered", races<walked>);
ORDEAL_SCENARIO("programs/map_walked_locked", locked<walked>);
ORDEAL_SCENARIO("programs/exception_text_unordered", races<text_of_exception>);
ORDEAL_SCENARIO("programs/exception_text_locked", locked<text_of_exception>);
ORDEAL_SCENARIO("programs/key_made_before_main", key_made_before_main);
ORDEAL_SCENARIO("programs/thread_joined_by_both", wrong<joined_by_both, violation_kind::data_race>);

}  // namespace

}  // namespace ordeal::model_tests
