// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/symbols/debug_info.hpp"

#include "ordeal/runtime/execution.hpp"
#include "ordeal/symbols/module_debug_info.hpp"

#include <cxxabi.h>
#include <ucontext.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <unordered_map>

namespace ordeal::detail {

namespace {

// Calls a function on a stack of its own: reading debug information needs more than a model thread may have left.
class roomy_stack {
public:
    template <class Function>
    void call(Function what) {
        what_ = [](void* context) { (*static_cast<Function*>(context))(); };
        context_ = &what;
        getcontext(&inside_);
        inside_.uc_stack.ss_sp = room_;
        inside_.uc_stack.ss_size = sizeof(room_);
        inside_.uc_link = &outside_;
        makecontext(&inside_, &begin, 0);
        swapcontext(&outside_, &inside_);
    }

private:
    static void begin();

    void (*what_)(void*) = nullptr;
    void* context_ = nullptr;
    ucontext_t outside_{};
    ucontext_t inside_{};
    alignas(64) unsigned char room_[std::size_t{512} << 10];  // untouched pages cost nothing
};

roomy_stack the_stack;

void roomy_stack::begin() { the_stack.what_(the_stack.context_); }

// Hides the query from the code on trial.
template <class Result, class Function>
Result ask(std::uintptr_t address, Function what) {
    const harness_scope harness;
    const int error = errno;
    Result result{};
    the_stack.call([&] {
        if (module_debug_info* const info = debug_info_at(address)) result = what(*info);
    });
    errno = error;
    return result;
}

}  // namespace

// Opened on first use, and kept.
module_debug_info* debug_info_at(std::uintptr_t address) {
    static auto& all = *new std::vector<std::unique_ptr<module_debug_info>>;  // never destroyed: exit handlers may ask
    for (const auto& each : all) {
        if (each->where().contains(address)) return each.get();
    }
    auto found = module_at(address);
    if (!found) return nullptr;
    all.push_back(std::make_unique<module_debug_info>(std::move(*found)));
    return all.back().get();
}

const std::vector<source_frame>& source_frames_at(std::uintptr_t address) {
    const harness_scope harness;
    static auto& known = *new std::unordered_map<std::uintptr_t, std::vector<source_frame>>;
    if (const auto found = known.find(address); found != known.end()) return found->second;
    auto frames = ask<std::vector<source_frame>>(address, [&](auto& info) { return info.frames_at(address); });
    if (frames.empty()) frames.emplace_back();
    return known.emplace(address, std::move(frames)).first->second;
}

bool is_without_debug_info(std::uintptr_t address) {
    return ask<bool>(address, [&](auto& info) { return !info.all_units().empty() && !info.unit_at(address); });
}

void read_debug_info_ahead(std::uintptr_t address) {
    ask<bool>(address, [&](auto& info) {
        info.read_ahead(address);
        return true;
    });
}

std::optional<named_global> global_at(std::uintptr_t address) {
    return ask<std::optional<named_global>>(address, [&](auto& info) { return info.global_at(address); });
}

unwind_rule unwind_rule_at(std::uintptr_t address) {
    return ask<unwind_rule>(address, [&](auto& info) { return info.rule_at(address); });
}

// The demangler also accepts mangled types, which are no symbols.
std::string readable_symbol(const char* symbol) {
    if (!std::string_view(symbol).starts_with("_Z")) return symbol;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                           &std::free);
    return status == 0 ? name.get() : symbol;
}

}  // namespace ordeal::detail
