// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations whose generated code compare.sh holds against plain.cpp. control.cpp compiles them once more with
// another policy.
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/task.hpp"

#ifndef ORDEAL_CODEGEN_POLICY
#define ORDEAL_CODEGEN_POLICY ordeal::std_policy
#endif

namespace {

using event_type = ordeal::coro::manual_reset_event<ORDEAL_CODEGEN_POLICY>;
using state_type = ordeal::coro::detail::task_state<ORDEAL_CODEGEN_POLICY>;
using promise_type = ordeal::coro::detail::task_promise<int, ORDEAL_CODEGEN_POLICY>;

}  // namespace

extern "C" {

void event_set(void* event) { static_cast<event_type*>(event)->set(); }
void event_reset(void* event) { static_cast<event_type*>(event)->reset(); }
bool event_await_ready(const void* waiter) { return static_cast<const event_type::awaiter*>(waiter)->await_ready(); }
bool event_await_suspend(void* waiter, void* coroutine) {
    return static_cast<event_type::awaiter*>(waiter)->await_suspend(std::coroutine_handle<>::from_address(coroutine));
}
bool task_ready(const void* state) { return static_cast<const state_type*>(state)->ready(); }
void task_abandon(void* promise) { static_cast<promise_type*>(promise)->abandon(); }
}
