// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/coro/awaitable_event.hpp"
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/coro/sync_wait.hpp"
#include "ordeal/coro/task.hpp"
#include "ordeal/scenario/clients.hpp"

#include <coroutine>
#include <optional>
#include <utility>

namespace examples {
namespace {

using ordeal::completion;
using ordeal::fresh;

// What an event is for: who waits for it reads what was written before it was set.
template <class Event>
struct message {
    Event event;
    int text = 0;  // plain memory
};

template <class Event>
ordeal::detached receive(message<Event>& from, completion done) {
    co_await from.event;
    done(from.text);
}

template <class Event>
ordeal::detached wait_for(Event& event, completion done) {
    co_await event;
    done();
}

// What co_await asks first.
template <class Event>
bool lets_through(Event& event) {
    return event.operator co_await().await_ready();
}

auto specify_message(auto& clients) {
    return clients.specification(std::optional<int>())
        .operation("set", [](std::optional<int>& sent, int text) { sent = text; })
        .operation(
            "wait", [](std::optional<int>& sent) { return *sent; },
            [](const std::optional<int>& sent) { return sent.has_value(); });
}

void declare_set(auto& clients) {
    clients
        .operation("set",
                   [](auto& message, fresh<int> text) {
                       message.text = text;
                       message.event.set();
                   })
        .at_most(1);
}

void declare_message(auto& clients) {
    declare_set(clients);
    clients.operation("wait", [](auto& message, completion done) { return receive(message, done); });
    // Whoever waits still goes on, so that nobody's frame leaks.
    clients.finish([](auto& message) { message.event.set(); });
    specify_message(clients);
}

void declare_reset(auto& clients) {
    clients.operation("set", [](auto& event) { event.set(); });
    clients.operation("reset", [](auto& event) { event.reset(); });
    clients.operation("wait", [](auto& event, completion done) { return wait_for(event, done); });
    clients.operation("ready", [](auto& event) { return lets_through(event); }).at_most(1);
    clients.sizes({{1, 3}, {2, 1}, {2, 2}});
    clients.finish([](auto& event) { event.set(); });
    clients.specification(false)
        .operation("ready", [](bool set) { return set; })
        .operation("set", [](bool& set) { set = true; })
        .operation("reset", [](bool& set) { set = false; })
        .operation("wait", [](bool&) {}, [](bool set) { return set; });
}

// References to one event: its owner gives its own back while the other sets the event, and each coroutine that waits
// keeps one.
class shared_message {
public:
    void set(int text) {
        text_ = text;
        is_set_ = true;
        setter_->set();
    }
    void wait(completion done) { receive(*this, *owner_, done); }
    void drop() { owner_.reset(); }
    // What waits last gives back the reference of the one who sets the event, while it does.
    void leave(completion done) { receive_last(*this, *std::exchange(owner_, std::nullopt), done); }
    void set_if_nobody_did() {
        if (!is_set_) setter_->set();
    }

private:
    static ordeal::detached receive_last(shared_message& from, ordeal::coro::awaitable_event<> event, completion done) {
        co_await event;
        from.setter_.reset();
        done(from.text_);
    }
    static ordeal::detached receive(shared_message& from, ordeal::coro::awaitable_event<>& event, completion done) {
        co_await event;
        done(from.text_);
    }

    std::optional<ordeal::coro::awaitable_event<>> owner_{std::in_place};
    std::optional<ordeal::coro::awaitable_event<>> setter_{owner_};
    int text_ = 0;
    bool is_set_ = false;
};

using lock_free_event = ordeal::coro::manual_reset_event<>;
using locked_event = ordeal::coro::awaitable_event<>;

using lock_free_message = message<lock_free_event>;
ORDEAL_CLIENTS(clients, "manual_reset_event", lock_free_message) { declare_message(clients); }
ORDEAL_CLIENTS(clients, "manual_reset_event_reset", lock_free_event) {
    clients.subject("manual_reset_event");
    declare_reset(clients);
}

using locked_message = message<locked_event>;
ORDEAL_CLIENTS(clients, "awaitable_event", locked_message) { declare_message(clients); }
ORDEAL_CLIENTS(clients, "awaitable_event_reset", locked_event) {
    clients.subject("awaitable_event");
    declare_reset(clients);
}
ORDEAL_CLIENTS(clients, "awaitable_event_lifetime", shared_message) {
    clients.subject("awaitable_event");
    clients.operation("set", [](auto& message, fresh<int> text) { message.set(text); }).at_most(1);
    clients.operation("wait", [](auto& message, completion done) { message.wait(done); }).by_owner();
    clients.operation("drop", [](auto& message) { message.drop(); }).by_owner().last();
    clients.operation("leave", [](auto& message, completion done) { message.leave(done); }).by_owner().last();
    clients.finish([](auto& message) { message.set_if_nobody_did(); });
    clients.sizes({{2, 1}, {2, 2}, {2, 3}});
    specify_message(clients)
        .operation("drop", [](auto&) {})
        .operation(
            "leave", [](std::optional<int>& sent) { return *sent; },
            [](const std::optional<int>& sent) { return sent.has_value(); });
}

// A thread that blocks in sync_wait, in place of a coroutine that is resumed by whoever sets the event.
ORDEAL_CLIENTS(clients, "sync_wait", lock_free_message) {
    declare_set(clients);
    clients.operation("wait", [](auto& message) {
        ordeal::coro::sync_wait(message.event);
        return message.text;
    });
    specify_message(clients);
}

// A task whose coroutine returns when the client says so.
class task_on_trial {
public:
    task_on_trial() : task_(run(*this)) {}
    task_on_trial(const task_on_trial&) = delete;
    task_on_trial& operator=(const task_on_trial&) = delete;

    void complete(int value) {
        result_ = value;
        std::exchange(coroutine_, nullptr).resume();
    }
    void complete_if_running() {
        if (coroutine_ != nullptr) complete(0);
    }
    // Awaits no more than co_await asks first, and so abandons.
    std::optional<bool> look() {
        if (!task_) return std::nullopt;
        const auto looks = std::move(*task_).operator co_await();
        task_.reset();
        return looks.await_ready();
    }
    bool abandon() {
        const bool had = task_.has_value();
        task_.reset();
        return had;
    }
    static ordeal::detached await(task_on_trial& from, completion done) {
        if (!from.task_) co_return done(std::optional<int>());
        ordeal::coro::task<int> awaited = std::move(*from.task_);
        from.task_.reset();
        done(std::optional<int>(co_await std::move(awaited)));
    }

private:
    struct until_told {
        task_on_trial& by;
        [[nodiscard]] bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> self) const noexcept { by.coroutine_ = self; }
        void await_resume() const noexcept {}
    };
    static ordeal::coro::task<int> run(task_on_trial& by) {
        co_await until_told{by};
        co_return by.result_;
    }

    std::coroutine_handle<> coroutine_;
    int result_ = 0;
    std::optional<ordeal::coro::task<int>> task_;
};

ORDEAL_CLIENTS(clients, "task", task_on_trial) {
    clients.operation("complete", [](auto& task, fresh<int> value) { task.complete(value); }).at_most(1);
    clients.operation("await", [](auto& task, completion done) { return task_on_trial::await(task, done); })
        .by_owner()
        .at_most(1);
    // Who awaits has given the task away.
    clients.operation("abandon", [](auto& task) { return task.abandon(); }).by_owner().at_most(1).may_fail();
    clients.operation("look", [](auto& task) { return task.look(); }).by_owner().at_most(1).may_fail();
    clients.finish([](auto& task) { task.complete_if_running(); });

    struct state {
        std::optional<int> result;
        bool is_abandoned = false;
    };
    clients.specification(state())
        .operation("complete", [](state& task, int value) { task.result = value; })
        .operation(
            "await", [](state& task) { return task.is_abandoned ? std::nullopt : task.result; },
            [](const state& task) { return task.is_abandoned || task.result; })
        .operation("look",
                   [](state& task) {
                       task.is_abandoned = true;
                       return std::optional<bool>(task.result.has_value());
                   })
        .operation("abandon", [](state& task) { return task.is_abandoned = true; });
}

}  // namespace
}  // namespace examples
