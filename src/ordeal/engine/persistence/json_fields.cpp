// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/persistence/json_fields.hpp"

namespace ordeal::detail {

using nlohmann::json;

json parse_json(std::string_view text) { return json::parse(text); }

json parsed_or_discarded(std::string_view text) { return json::parse(text, nullptr, false); }

std::string json_text(const json& value, int indentation, json::error_handler_t on_error) {
    return value.dump(indentation, ' ', false, on_error);
}

}  // namespace ordeal::detail
