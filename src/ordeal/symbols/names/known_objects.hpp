// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/runtime/runtime.hpp"
#include "ordeal/scenario/scenario_body.hpp"
#include "ordeal/symbols/debug_info.hpp"
#include "ordeal/symbols/debug_types.hpp"
#include "ordeal/symbols/names/source_lexer.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace ordeal::detail {

/// What a heap block was allocated for.
struct block_contents {
    enum class kind : std::uint8_t { unknown, object, array, frame };
    kind is = kind::unknown;
    debug_types::die type{};      ///< of an object, or of an array's elements
    std::string word;             ///< "node", "consume()"; what the source has, if that is all that is known
    std::string place;            ///< "queue.hpp:12"; where it was allocated
    std::uintptr_t destroys = 0;  ///< of a frame: its destroy function
};

/// It is an object of this type, or an array of them if the block is larger. A library's node or control block is named
/// by its element.
void set_type(block_contents& block, debug_types::die type, std::size_t size);

/// The innermost function on the call stack that is of neither a library nor the harness, with its file.
[[nodiscard]] std::optional<source_frame> place_on_trial(std::span<const std::uintptr_t> calls);

/// Infers what was allocated from the functions on the call stack at that point.
[[nodiscard]] block_contents contents_of(memory_range block, std::span<const std::uintptr_t> calls,
                                         source_text& sources);

/// The class of this size whose objects begin with a pointer to the virtual table at this address; none if it is no
/// virtual table, or debug information does not have the class.
[[nodiscard]] std::optional<debug_types::die> class_with_virtual_table(std::uintptr_t address, std::size_t size);

/// "consume" of the coroutine whose frame this function destroys; empty if it is no such function.
[[nodiscard]] std::string coroutine_destroyed_by(std::uintptr_t function);
/// The type that the compiler generated for the frame, if debug information has it.
[[nodiscard]] std::optional<debug_types::die> frame_type_of(std::uintptr_t function);

/// The promise of that coroutine, and its offset in the frame.
struct promise_in_frame {
    debug_types::die type{};
    std::uint64_t offset = 0;
};
[[nodiscard]] std::optional<promise_in_frame> promise_in_frame_of(std::uintptr_t function);

/// The class of the scenario object.
[[nodiscard]] std::optional<debug_types::die> type_of_scenario(const scenario_body& body);

/// The variable that contains an address.
struct known_variable {
    std::string name;
    std::uintptr_t address = 0;
    std::optional<debug_types::die> type;
};
[[nodiscard]] std::optional<known_variable> global_variable_at(std::uintptr_t address);

struct running_function;
/// A local variable of a function on a stack.
[[nodiscard]] std::optional<known_variable> local_variable_at(const running_function& in, std::uintptr_t address);
[[nodiscard]] std::string name_of_function(std::uintptr_t return_address);

}  // namespace ordeal::detail
