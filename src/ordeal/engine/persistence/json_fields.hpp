// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON by declaration, for what files and processes exchange: a list of fields serves both directions.
//
//   void fields(const auto& io, is<models_of_violation> auto& value) {
//       io("strongest", value.strongest, parse_memory_model);  // by its text
//       io("excluded", value.excluded);
//   }
//
// With `io.item(value.excluded)`, without keys, the value is an array; `io.items(...)` has several of its elements.
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ordeal::detail {

// Not templates: a source that has the parser or the serializer compiled takes seconds longer.

/// Throws nlohmann::json::exception.
[[nodiscard]] nlohmann::json parse_json(std::string_view text);
/// Discarded if it is no JSON.
[[nodiscard]] nlohmann::json parsed_or_discarded(std::string_view text);
/// In one line if `indentation` is negative. `on_error`: where a string is not UTF-8.
[[nodiscard]] std::string json_text(const nlohmann::json& value, int indentation = -1,
                                    nlohmann::json::error_handler_t on_error = nlohmann::json::error_handler_t::strict);

template <class Value, class T>
concept is = std::same_as<std::remove_const_t<Value>, T>;

template <class T>
concept is_set = std::same_as<typename T::key_type, typename T::value_type>;

template <class T>
concept has_text = requires(const T& value) { to_string(value); };

/// What a parser of names has found; throws if it has found none.
template <class T>
[[nodiscard]] T required(std::optional<T> parsed) {
    if (!parsed) throw std::invalid_argument("unknown name");
    return *std::move(parsed);
}

class json_writer {
public:
    explicit json_writer(nlohmann::json& to) : to_(to) {}

    template <class T, class... Parse>
    void operator()(const char* key, const T& value, const Parse&... parse) const {
        to_[key] = of(value, parse...);
    }
    template <class T, class... Parse>
    void item(const T& value, const Parse&... parse) const {
        to_.push_back(of(value, parse...));
    }
    void items(const auto&... values) const { (item(values), ...); }
    /// An enumeration, as a number.
    template <class T>
    void number(const char* key, T value, T /*last*/) const {
        to_[key] = static_cast<int>(value);
    }
    template <class T>
    void item_number(T value, T /*last*/) const {
        to_.push_back(static_cast<int>(value));
    }

    template <class T>
    [[nodiscard]] static nlohmann::json of(const T& value) {
        if constexpr (requires(const json_writer& io) { fields(io, value); }) {
            nlohmann::json result;
            fields(json_writer(result), value);
            return result;
        } else {
            return value;
        }
    }
    template <class T, class... Parse>
    [[nodiscard]] static nlohmann::json of(const std::optional<T>& value, const Parse&... parse) {
        return value ? of(*value, parse...) : nlohmann::json(nullptr);
    }
    template <class T, class... Parse>
    [[nodiscard]] static nlohmann::json of(const std::vector<T>& values, const Parse&... parse) {
        nlohmann::json result = nlohmann::json::array();
        for (const T& each : values) result.push_back(of(each, parse...));
        return result;
    }
    template <is_set Set>
    [[nodiscard]] static nlohmann::json of(const Set& values) {
        std::vector<typename Set::value_type> list(values.begin(), values.end());
        std::ranges::sort(list);  // a set has one text, if it is hashed, too
        return of(list);
    }
    template <class T>
    [[nodiscard]] static nlohmann::json of(const std::map<std::string, T>& values) {
        nlohmann::json result = nlohmann::json::object();
        for (const auto& [key, each] : values) result[key] = of(each);
        return result;
    }
    template <class T, class Parse>
        requires has_text<T>
    [[nodiscard]] static nlohmann::json of(const T& value, const Parse& /*parse*/) {
        return to_string(value);
    }

private:
    nlohmann::json& to_;
};

/// Throws where a value is missing, or is of another type.
class json_reader {
public:
    explicit json_reader(const nlohmann::json& from) : from_(from) {}

    template <class T, class... Parse>
    void operator()(const char* key, T& value, const Parse&... parse) const {
        read(from_.at(key), value, parse...);
    }
    template <class T, class... Parse>
    void item(T& value, const Parse&... parse) const {
        read(from_.at(next_++), value, parse...);
    }
    void items(auto&... values) const { (item(values), ...); }
    template <class T>
    void number(const char* key, T& value, T last) const {
        value = enumerator(from_.at(key).get<int>(), last);
    }
    template <class T>
    void item_number(T& value, T last) const {
        value = enumerator(from_.at(next_++).template get<int>(), last);
    }

    template <class T>
    static void read(const nlohmann::json& from, T& value) {
        if constexpr (requires(const json_reader& io) { fields(io, value); }) {
            fields(json_reader(from), value);
        } else {
            from.get_to(value);
        }
    }
    template <class T, class... Parse>
    static void read(const nlohmann::json& from, std::optional<T>& value, const Parse&... parse) {
        value.reset();
        if (!from.is_null()) read(from, value.emplace(), parse...);
    }
    template <class T, class... Parse>
    static void read(const nlohmann::json& from, std::vector<T>& values, const Parse&... parse) {
        if (!from.is_array()) throw std::invalid_argument("no list");
        values.clear();
        for (const nlohmann::json& each : from) {
            T value{};
            read(each, value, parse...);
            values.push_back(std::move(value));
        }
    }
    template <is_set Set>
    static void read(const nlohmann::json& from, Set& values) {
        std::vector<typename Set::value_type> list;
        read(from, list);
        values = {list.begin(), list.end()};
    }
    template <class T>
    static void read(const nlohmann::json& from, std::map<std::string, T>& values) {
        if (!from.is_object()) throw std::invalid_argument("no object");
        values.clear();
        for (const auto& [key, each] : from.items()) read(each, values[key]);
    }
    template <class T, class Parse>
        requires has_text<T>
    static void read(const nlohmann::json& from, T& value, const Parse& parse) {
        value = required(parse(from.get_ref<const std::string&>()));
    }

private:
    template <class T>
    [[nodiscard]] static T enumerator(int number, T last) {
        if (number < 0 || number > static_cast<int>(last)) throw std::invalid_argument("no such enumerator");
        return static_cast<T>(number);
    }

    const nlohmann::json& from_;
    mutable std::size_t next_ = 0;
};

}  // namespace ordeal::detail
