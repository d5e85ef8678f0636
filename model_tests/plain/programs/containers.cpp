// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the standard library that lie in its shared library, where nothing is instrumented: trees, hash tables, streams,
// exceptions. With a mutex they are right, without one they race.
#include "model_tests/plain/programs/programs.hpp"

#include <algorithm>
#include <any>
#include <charconv>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace ordeal::model_tests {

namespace {

struct in_a_map {
    std::map<int, std::string> entries;
    void put(int key) { entries[key] = std::to_string(key); }
    [[nodiscard]] std::size_t size() const { return entries.size(); }
};

struct in_a_hash_table {
    std::unordered_map<std::string, int> entries;
    void put(int key) { entries.emplace(std::to_string(key), key); }
    [[nodiscard]] std::size_t size() const { return entries.size(); }
};

struct in_a_list {
    std::list<int> entries;
    void put(int key) {
        entries.push_front(key);
        entries.sort();
    }
    [[nodiscard]] std::size_t size() const { return entries.size(); }
};

struct in_a_set {
    std::multiset<int> entries;
    void put(int key) {
        entries.insert({key, key});
        entries.erase(entries.begin());
    }
    [[nodiscard]] std::size_t size() const { return entries.size(); }
};

struct in_a_stream {
    std::ostringstream text;
    void put(int key) { text << key + 1; }
    [[nodiscard]] std::size_t size() const { return text.str().size(); }
};

struct in_a_string {
    std::string text;
    void put(int key) { text.append(1, key == 0 ? 'a' : 'b'); }
    [[nodiscard]] std::size_t size() const { return text.size(); }
};

struct in_variants {
    std::vector<std::variant<int, std::string, std::any>> entries;
    void put(int key) {
        if (key == 0) {
            entries.emplace_back(std::string("a string that does not fit into its object"));
        } else {
            entries.emplace_back(std::any(key));
        }
    }
    [[nodiscard]] std::size_t size() const {
        return static_cast<std::size_t>(
            std::count_if(entries.begin(), entries.end(), [](const auto& each) { return each.index() != 0; }));
    }
};

template <class Store, bool Locked>
struct filled_by_two {
    static constexpr auto threads = std::array{"puts", "puts"};
    std::mutex mutex;
    Store store;

    void run(int thread) {
        std::unique_lock lock(mutex, std::defer_lock);
        if (Locked) lock.lock();
        store.put(thread);
    }
    void finish() const { require(store.size() == 2); }
};

// A text that was put together in the library is read here, by the thread that made it and by another.
struct exception_goes_to_the_other {
    static constexpr auto threads = std::array{"throws", "catches"};
    std::mutex mutex;
    std::exception_ptr error;

    void run(int thread) {
        if (thread == 0) {
            try {
                throw std::system_error(std::make_error_code(std::errc::timed_out), "no luck");
            } catch (...) {
                const std::lock_guard lock(mutex);
                error = std::current_exception();
            }
        } else if (const std::exception_ptr found = take()) {
            look_at(found);
        }
    }

private:
    [[nodiscard]] std::exception_ptr take() {
        const std::lock_guard lock(mutex);
        return std::exchange(error, nullptr);
    }
    static void look_at(const std::exception_ptr& found) {
        try {
            std::rethrow_exception(found);
        } catch (const std::system_error& caught) {
            require(std::string(caught.what()).starts_with("no luck"));
            require(caught.code() == std::errc::timed_out);
        }
    }
};

struct text_is_made_and_read {
    static constexpr auto threads = std::array{"makes", "reads"};
    std::mutex mutex;
    std::unique_ptr<std::string> text;

    void run(int thread) {
        if (thread == 0) {
            std::ostringstream stream;
            stream << "pi is " << 3.25 << ", or " << std::hex << 255;
            auto made = std::make_unique<std::string>(std::move(stream).str());
            const std::lock_guard lock(mutex);
            text = std::move(made);
        } else {
            const std::lock_guard lock(mutex);
            if (text) require(*text == "pi is 3.25, or ff");
        }
    }
};

struct numbers_are_read {
    static constexpr auto threads = std::array{"reads", "reads"};

    void run(int thread) {
        const std::string text = std::to_string(1000 + thread) + " " + std::to_string(0.5);
        int whole = 0;
        std::from_chars(text.data(), text.data() + text.size(), whole);
        require(whole == 1000 + thread);
        std::istringstream stream(text);
        double half = 0;
        stream >> whole >> half;
        require(whole == 1000 + thread && half == 0.5);
    }
};

template <class Store>
using locked = filled_by_two<Store, true>;
template <class Store>
using racy = wrong<filled_by_two<Store, false>, violation_kind::data_race>;

ORDEAL_SCENARIO("programs/map_locked", locked<in_a_map>);
ORDEAL_SCENARIO("programs/map_racy", racy<in_a_map>);
ORDEAL_SCENARIO("programs/hash_table_locked", locked<in_a_hash_table>);
ORDEAL_SCENARIO("programs/hash_table_racy", racy<in_a_hash_table>);
ORDEAL_SCENARIO("programs/list_locked", locked<in_a_list>);
ORDEAL_SCENARIO("programs/list_racy", racy<in_a_list>);
ORDEAL_SCENARIO("programs/set_locked", locked<in_a_set>);
ORDEAL_SCENARIO("programs/stream_locked", locked<in_a_stream>);
ORDEAL_SCENARIO("programs/stream_racy", racy<in_a_stream>);
ORDEAL_SCENARIO("programs/string_locked", locked<in_a_string>);
ORDEAL_SCENARIO("programs/string_racy", racy<in_a_string>);
ORDEAL_SCENARIO("programs/variants_locked", locked<in_variants>);
ORDEAL_SCENARIO("programs/variants_racy", racy<in_variants>);
ORDEAL_SCENARIO("programs/exception_goes_to_the_other", exception_goes_to_the_other);
ORDEAL_SCENARIO("programs/text_is_made_and_read", text_is_made_and_read);
ORDEAL_SCENARIO("programs/numbers_are_read", numbers_are_read);

}  // namespace

}  // namespace ordeal::model_tests
