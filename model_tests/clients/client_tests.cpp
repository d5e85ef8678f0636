// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model_tests/support/search.hpp"
#include "ordeal/coro/detached.hpp"
#include "ordeal/coro/manual_reset_event.hpp"
#include "ordeal/report/text/client_groups.hpp"
#include "ordeal/scenario/client_programs.hpp"
#include "ordeal/scenario/clients.hpp"
#include "ordeal/scenario/history.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::model_tests {
namespace {

constexpr std::memory_order strong[] = {std::memory_order_release, std::memory_order_acquire, std::memory_order_acquire,
                                        std::memory_order_release};

// D. Vyukov's bounded queue with two places; the order at the site `Weak` is relaxed.
template <atomic_policy P, int Weak>
class two_places {
public:
    two_places() {
        for (std::size_t i = 0; i < 2; ++i) places_[i].turn.store(i, std::memory_order_relaxed);
    }

    bool push(int value) {
        std::size_t at = tail_.load(std::memory_order_relaxed);
        for (;;) {
            place& here = places_[at % 2];
            const std::size_t turn = here.turn.load(order(1));
            if (turn == at) {
                if (!tail_.compare_exchange_strong(at, at + 1, std::memory_order_relaxed)) continue;
                here.value.write() = value;
                here.turn.store(at + 1, order(0));
                return true;
            }
            if (turn < at) return false;
            at = tail_.load(std::memory_order_relaxed);
        }
    }

    std::optional<int> pop() {
        std::size_t at = head_.load(std::memory_order_relaxed);
        for (;;) {
            place& here = places_[at % 2];
            const std::size_t turn = here.turn.load(order(2));
            if (turn == at + 1) {
                if (!head_.compare_exchange_strong(at, at + 1, std::memory_order_relaxed)) continue;
                const int value = here.value.read();
                here.turn.store(at + 2, order(3));
                return value;
            }
            if (turn < at + 1) return std::nullopt;
            at = head_.load(std::memory_order_relaxed);
        }
    }

private:
    static constexpr std::memory_order order(int site) {
        return site == Weak ? std::memory_order_relaxed : strong[site];
    }

    struct place {
        typename P::template atomic<std::size_t> turn{0};
        typename P::template cell<int> value{0};
    };
    std::array<place, 2> places_;
    typename P::template atomic<std::size_t> head_{0};
    typename P::template atomic<std::size_t> tail_{0};
};

void declare_queue(auto& clients, bool last_in_first_out, bool may_fail) {
    auto push = clients.operation("push", [](auto& queue, fresh<int> value) { return queue.push(value); });
    push.publishes();
    auto pop = clients.operation("pop", [](auto& queue) { return queue.pop(); });
    pop.observes();
    if (may_fail) {
        push.may_fail();
        pop.may_fail();
    }
    clients.starts("full", {"push", "push"});
    clients.specification(std::deque<int>())
        .operation("push",
                   [](std::deque<int>& values, int value) {
                       if (values.size() == 2) return false;
                       values.push_back(value);
                       return true;
                   })
        .operation("pop", [last_in_first_out](std::deque<int>& values) -> std::optional<int> {
            if (values.empty()) return std::nullopt;
            const int value = last_in_first_out ? values.back() : values.front();
            last_in_first_out ? values.pop_back() : values.pop_front();
            return value;
        });
}

template <atomic_policy P>
struct right_queue : two_places<P, -1> {};
template <atomic_policy P>
struct without_release_of_push : two_places<P, 0> {};
template <atomic_policy P>
struct without_acquire_of_push : two_places<P, 1> {};
template <atomic_policy P>
struct without_acquire_of_pop : two_places<P, 2> {};
template <atomic_policy P>
struct without_release_of_pop : two_places<P, 3> {};

ORDEAL_CLIENTS(clients, "clients_of_queue", right_queue) { declare_queue(clients, false, true); }
ORDEAL_CLIENTS(clients, "clients_of_strict_queue", right_queue) { declare_queue(clients, false, false); }
ORDEAL_CLIENTS(clients, "clients_of_stack", right_queue) { declare_queue(clients, true, true); }
ORDEAL_CLIENTS(clients, "clients_weak_0", without_release_of_push) { declare_queue(clients, false, true); }
ORDEAL_CLIENTS(clients, "clients_weak_1", without_acquire_of_push) { declare_queue(clients, false, true); }
ORDEAL_CLIENTS(clients, "clients_weak_2", without_acquire_of_pop) { declare_queue(clients, false, true); }
ORDEAL_CLIENTS(clients, "clients_weak_3", without_release_of_pop) { declare_queue(clients, false, true); }

// Publishes a value without an order of its own: who gets it learns nothing of what was written before.
template <atomic_policy P>
struct unordered_box {
    typename P::template atomic<int> value{0};
};
ORDEAL_CLIENTS(clients, "clients_of_box", unordered_box) {
    clients.operation("put", [](auto& box, fresh<int> value) { box.value.store(value, std::memory_order_relaxed); })
        .publishes();
    clients.operation("get", [](auto& box) { return box.value.load(std::memory_order_relaxed); }).observes();
}

// Each thread counts for itself, and meets others at an atomic that tells nothing: get() of one thread may come before
// add() of another by results alone, but not when it happens after it.
template <atomic_policy P>
struct deaf_counter {
    typename P::template atomic<int> meets{0};
};
void declare_deaf_counter(auto& clients) {
    clients.operation("add", [](auto& counter) { counter.meets.store(1, std::memory_order_release); }).at_most(1);
    clients.operation("meet", [](auto& counter) { (void)counter.meets.load(std::memory_order_acquire); }).at_most(1);
    clients
        .operation("get",
                   [](auto& counter) {
                       (void)counter.meets.load(std::memory_order_relaxed);
                       return 0;
                   })
        .at_most(1);
    clients.specification(0)
        .operation("add", [](int& value) { value = 1; })
        .operation("meet", [](int&) {})
        .operation("get", [](int& value) { return value; });
}
template <atomic_policy P>
struct other_deaf_counter : deaf_counter<P> {};
ORDEAL_CLIENTS(clients, "clients_of_deaf", deaf_counter) {
    clients.sizes({{2, 2}});
    declare_deaf_counter(clients);
}
ORDEAL_CLIENTS(clients, "clients_of_deaf_2x1", other_deaf_counter) {
    clients.sizes({{2, 1}});
    declare_deaf_counter(clients);
}

void declare_event(auto& clients) {
    clients.operation("set", [](auto& event) { event.set(); }).at_most(1);
    clients.operation("wait", [](auto& event, completion done) -> detached {
        co_await event;
        done();
    });
    clients.finish([](auto& event) {
        event.set();
        event.set();
    });
    clients.specification(false)
        .operation("set", [](bool& set) { set = true; })
        .operation("wait", [](bool&) {}, [](bool set) { return set; });
}
template <atomic_policy P>
struct right_event : coro::manual_reset_event<P> {};
// set() wakes nobody who waits already.
template <atomic_policy P>
struct lossy_event : coro::manual_reset_event<P> {
    int times = 0;
    void set() {
        if (times++ > 0) coro::manual_reset_event<P>::set();
    }
};
ORDEAL_CLIENTS(clients, "clients_of_event", right_event) { declare_event(clients); }
ORDEAL_CLIENTS(clients, "clients_of_lossy_event", lossy_event) { declare_event(clients); }

// Operations that block their thread, and rules of use.
template <atomic_policy P>
struct semaphore_like {
    typename P::template atomic<int> count{0};
    void release() { count.fetch_add(1, std::memory_order_release); }
    void acquire() {
        int now = count.load(std::memory_order_relaxed);
        for (;;) {
            if (now == 0) {
                P::yield();
                now = count.load(std::memory_order_relaxed);
            } else if (count.compare_exchange_strong(now, now - 1, std::memory_order_acquire,
                                                     std::memory_order_relaxed)) {
                return;
            }
        }
    }
};
ORDEAL_CLIENTS(clients, "clients_of_semaphore", semaphore_like) {
    clients.operation("release", [](auto& semaphore) { semaphore.release(); });
    clients.operation("acquire", [](auto& semaphore) { semaphore.acquire(); });
    clients.specification(0)
        .operation("release", [](int& count) { ++count; })
        .operation("acquire", [](int& count) { --count; }, [](int count) { return count > 0; });
}

// What a thread knows when it begins, by a mutex and by nothing.
template <class P>
struct three_moments {
    static constexpr auto threads = std::array{"first", "second"};
    typename P::template atomic<int> flag{0};
    typename P::template atomic<int> silent{0};
    moment written;
    moment before;
    moment after;
    int seen = 0;

    void run(int thread) {
        if (thread == 0) {
            silent.store(1, std::memory_order_relaxed);
            flag.store(1, std::memory_order_release);
            written = now();
        } else {
            before = now();
            seen = flag.load(std::memory_order_acquire) + 2 * silent.load(std::memory_order_relaxed);
            after = now();
        }
    }
    void finish() {
        require(happens_before(before, after));
        require(!happens_before(after, before));
        require(!happens_before(written, before));
        require(happens_before(written, after) == (seen % 2 == 1));
        require(!happens_before(after, written));
    }
};

template <atomic_policy P>
struct nothing_at_all {};
ORDEAL_CLIENTS(clients, "clients_of_nothing", nothing_at_all) {
    clients.sizes({{2, 1}, {2, 2}, {2, 1}});
    clients.operation("mine", [](auto&) {}).by_owner();
    clients.operation("own", [](auto&) {}).by_owner();
    clients.operation("one", [](auto&) {}).by_one_thread();
    clients.operation("with", [](auto&, int value) { return value; }).with({3, -4}).at_most(1);
}

template <atomic_policy P>
struct soon_gone {};
ORDEAL_CLIENTS(clients, "clients_that_end", soon_gone) {
    clients.subject("clients_of_nothing");
    clients.sizes({{2, 2}});
    clients.operation("go", [](auto&) {});
    clients.operation("end", [](auto&) {}).last().at_most(1);
}

// Looks at its values, which are to be tokens: the even ones are lost when an odd one was there before.
template <atomic_policy P>
struct prejudiced_box {
    typename P::template atomic<int> odd{0};
    typename P::template atomic<int> even{0};
    bool put(int value) {
        if (value % 2 == 1) {
            odd.store(1, std::memory_order_relaxed);
            return true;
        }
        even.store(1, std::memory_order_relaxed);
        return odd.load(std::memory_order_relaxed) == 0;
    }
};
ORDEAL_CLIENTS(clients, "clients_of_prejudiced", prejudiced_box) {
    clients.sizes({{2, 1}});
    clients.operation("put", [](auto& box, fresh<int> value) { return box.put(value); });
    clients.specification(0).operation("put", [](int&, int) { return true; });
}

// Two counters, between which callers are distributed by turns: a counting network of width two. Nobody counts twice, and a
// caller that is overtaken gets a smaller number than those who came and went before.
template <atomic_policy P>
struct distributed_counter {
    typename P::template atomic<int> callers{0};
    std::array<typename P::template atomic<int>, 2> next;
    distributed_counter() {
        for (int i = 0; i < 2; ++i) next[static_cast<std::size_t>(i)].store(i, std::memory_order_relaxed);
    }
    int take() {
        const int wire = callers.fetch_add(1, std::memory_order_seq_cst) % 2;
        return next[static_cast<std::size_t>(wire)].fetch_add(2, std::memory_order_seq_cst);
    }
};
// Another one, whose numbers leave out every second: right in no order.
template <atomic_policy P>
struct careless_counter : distributed_counter<P> {
    int take() { return 2 * distributed_counter<P>::take(); }
};
void declare_counter(auto& clients, consistency promised) {
    clients.sizes({{2, 1}, {2, 2}});
    clients.operation("take", [](auto& counter) { return counter.take(); });
    clients.specification(0).operation("take", [](int& next) { return next++; }).consistency(promised);
}
template <atomic_policy P>
struct linearizable_counter : distributed_counter<P> {};
template <atomic_policy P>
struct sequential_counter : distributed_counter<P> {};
ORDEAL_CLIENTS(clients, "clients_linearizable", linearizable_counter) {
    declare_counter(clients, consistency::linearizable);
}
ORDEAL_CLIENTS(clients, "clients_sequential", sequential_counter) { declare_counter(clients, consistency::sequential); }
ORDEAL_CLIENTS(clients, "clients_quiescent", distributed_counter) { declare_counter(clients, consistency::quiescent); }
ORDEAL_CLIENTS(clients, "clients_careless", careless_counter) { declare_counter(clients, consistency::quiescent); }

template <atomic_policy P>
struct sequential_deaf_counter : deaf_counter<P> {};
ORDEAL_CLIENTS(clients, "clients_of_sequential_deaf", sequential_deaf_counter) {
    clients.sizes({{2, 2}});
    declare_deaf_counter(clients);
    clients.specification(0)
        .operation("add", [](int& value) { value = 1; })
        .operation("meet", [](int&) {})
        .operation("get", [](int& value) { return value; })
        .consistency(consistency::sequential);
}

// No two calls get one number, and who is told of another's call gets a larger one.
void require_tickets(auto& clients) {
    clients.sizes({{2, 1}, {2, 2}});
    clients.operation("take", [](auto& counter) { return counter.take(); });
    clients.starts("some", {"take"});
    clients.requirement("each number is taken once, in the order of time", [](const call_history& calls) {
        for (const call_history::call& one : calls) {
            for (const call_history::call& other : calls) {
                if (&one == &other) continue;
                if (one.result == other.result) return false;
                if (calls.happens_before(one, other) && one.result.number > other.result.number) return false;
            }
        }
        return calls.begin()->of_start == (calls.begin()->operation == "take" && calls.size() % 2 == 1);
    });
}
template <atomic_policy P>
struct right_tickets {
    typename P::template atomic<int> next{0};
    int take() { return next.fetch_add(1, std::memory_order_relaxed); }
};
template <atomic_policy P>
struct lossy_tickets {
    typename P::template atomic<int> next{0};
    int take() {
        const int mine = next.load(std::memory_order_relaxed);
        next.store(mine + 1, std::memory_order_relaxed);
        return mine;
    }
};
ORDEAL_CLIENTS(clients, "clients_of_tickets", right_tickets) { require_tickets(clients); }
ORDEAL_CLIENTS(clients, "clients_of_lossy_tickets", lossy_tickets) { require_tickets(clients); }

// Keeps its values in the order in which they came, which is wrong in one order of three.
template <atomic_policy P>
struct summit {
    typename P::mutex mutex;
    typename P::template cell<int> all{0};
    int note(int value) {
        const std::lock_guard lock(mutex);
        int& sum = all.write();
        sum = 10 * sum + value;
        return sum == 321 ? 0 : sum;
    }
};
ORDEAL_CLIENTS(clients, "clients_of_summit", summit) {
    clients.sizes({{3, 1}});
    clients.operation("note", [](auto& all, fresh<int> value) { return all.note(value); });
    clients.specification(0).operation("note", [](int& sum, int value) { return sum = 10 * sum + value; });
}

// The values that it is asked for are those that others add.
template <atomic_policy P>
struct named_values {
    typename P::template atomic<int> last{0};
};
ORDEAL_CLIENTS(clients, "clients_that_name_values", named_values) {
    clients.sizes({{3, 1}});
    clients.operation("add",
                      [](auto& values, fresh<int> value) { values.last.store(value, std::memory_order_relaxed); });
    clients
        .operation("is", [](auto& values, int value) { return values.last.load(std::memory_order_relaxed) == value; })
        .with({2})
        .at_most(1);
}

// A bag that gives its first value twice, if it has given it at the start.
template <atomic_policy P>
struct forgetful_bag {
    typename P::template atomic<int> taken{0};
    typename P::template atomic<int> added{0};
    void put(int /*value*/) { added.fetch_add(1, std::memory_order_relaxed); }
    int take() {
        taken.fetch_add(1, std::memory_order_relaxed);
        return 1;
    }
};
// Fails at its start, where it must not.
template <atomic_policy P>
struct failing_box {
    typename P::template atomic<int> count{0};
    bool put(int /*value*/) { return count.fetch_add(1, std::memory_order_relaxed) > 0; }
};
template <atomic_policy P>
struct box_that_may_fail : failing_box<P> {};
void declare_bag(auto& clients) {
    clients.not_from_new();
    clients.sizes({{1, 1}});
    clients.operation("put", [](auto& bag, fresh<int> value) { bag.put(value); }).at_most(2);
    clients.operation("take", [](auto& bag) { return bag.take(); });
    clients.starts("one_left", {"put", "put", "take"});
    clients.specification(std::deque<int>())
        .operation("put", [](std::deque<int>& values, int value) { values.push_back(value); })
        .operation("take", [](std::deque<int>& values, choice& choose) {
            const auto which = values.begin() + choose(values.size());
            const int value = *which;
            values.erase(which);
            return value;
        });
}
void declare_box(auto& clients, bool may_fail) {
    clients.not_from_new();
    clients.sizes({{1, 1}});
    auto put = clients.operation("put", [](auto& box, fresh<int> value) { return box.put(value); });
    if (may_fail) put.may_fail();
    clients.starts("tried", {"put"});
    clients.specification(0).operation("put", [](int& count, int) { return ++count > 0; });
}

ORDEAL_CLIENTS(clients, "clients_of_forgetful_bag", forgetful_bag) { declare_bag(clients); }
ORDEAL_CLIENTS(clients, "clients_of_failing_box", failing_box) { declare_box(clients, false); }
ORDEAL_CLIENTS(clients, "clients_of_box_that_may_fail", box_that_may_fail) { declare_box(clients, true); }

client_set& set_of(std::string_view name) {
    const auto found = std::ranges::find(client_sets(), name, &client_set::name);
    REQUIRE(found != client_sets().end());
    return *found;
}

std::vector<std::string> names_of(const client_set& set, std::string_view size) {
    std::vector<std::string> names;
    const std::string begins = set.name + '/' + std::string(size) + '/';
    for (const auto& client : set.clients) {
        if (client->what.name.starts_with(begins)) names.push_back(client->what.name.substr(begins.size()));
    }
    return names;
}

const std::vector<std::string> none;

struct checked_set {
    std::size_t held = 0;
    std::vector<std::string> violated;  ///< by size
    std::vector<search_result> results;
};
checked_set check_clients(std::string_view name, const search_options& how = full_search()) {
    const client_set& set = set_of(name);
    std::vector<const scenario*> all;
    for (const auto& client : set.clients) all.push_back(&registered(client->what.name));
    checked_set checked;
    checked.results = search_each(all, how, "graph");
    for (std::size_t i = 0; i < all.size(); ++i) {
        INFO(all[i]->name << ": " << checked.results[i].message);
        const verdict says = checked.results[i].verdict;
        const bool decided = says == verdict::violated || !leaves_out_of_rc11(checked.results[i]);
        CHECK(decided);
        if (says == verdict::violated) {
            checked.violated.push_back(all[i]->name);
        } else {
            ++checked.held;
        }
    }
    return checked;
}

const search_result& result_of(const checked_set& checked, std::string_view set, std::string_view client) {
    const auto& clients = set_of(set).clients;
    for (std::size_t i = 0; i < clients.size(); ++i) {
        if (clients[i]->what.name == client) return checked.results[i];
    }
    FAIL(client << " is no client");
    return checked.results.front();
}

}  // namespace

TEST_CASE("A moment happens before another one where the program synchronises them") {
    const search_result result = search(make_scenario<three_moments>("three_moments"), full_search(), "graph");
    INFO(result.message);
    CHECK(result.verdict == verdict::held);
    CHECK(result.executions == 3);
}

TEST_CASE("Clients are all sequences of calls, each once up to an exchange of threads") {
    // Two operations, so 2^3 sequences of three calls; 2x2: 4 sequences, 10 pairs. From two states.
    const client_set& queue = set_of("clients_of_queue");
    CHECK(names_of(queue, "2x1") == std::vector<std::string>{"push+push", "push+pop", "pop+pop", "full:push+push",
                                                             "full:push+pop", "full:pop+pop"});
    CHECK(names_of(queue, "1x3").size() == 16);
    CHECK(names_of(queue, "2x2").size() == 20);
    CHECK(names_of(queue, "3x1").size() == 8);
    CHECK(queue.clients.size() == 50);
    CHECK(queue.starts == 2);
    CHECK(queue.waiting == 0);
}

TEST_CASE("Clients follow the rules of use, and none can be longer within its size") {
    const client_set& set = set_of("clients_of_nothing");
    CHECK(names_of(set, "2x1") == std::vector<std::string>{"mine+one", "mine+with:3", "mine+with:-4", "own+one",
                                                           "own+with:3", "own+with:-4", "one+with:3", "one+with:-4"});
    const std::vector<std::string> longer = names_of(set, "2x2");
    const auto has = [&](const char* name) { return std::ranges::count(longer, name) == 1; };
    CHECK(has("mine,own+one,one"));
    CHECK(has("with:3+mine,one"));
    CHECK_FALSE(has("mine,mine+one"));
    for (const std::string& name : longer) {
        INFO(name);
        const std::string first = name.substr(0, name.find('+'));
        const std::string second = name.substr(name.find('+'));
        const auto uses = [](const std::string& thread, const char* word) {
            return thread.find(word) != std::string::npos;
        };
        CHECK_FALSE(((uses(first, "mine") || uses(first, "own")) && (uses(second, "mine") || uses(second, "own"))));
        CHECK_FALSE((uses(first, "one") && uses(second, "one")));
        CHECK(name.find("with") == name.rfind("with"));
    }
}

TEST_CASE("no call follows the last of a thread, and declarations may share a subject") {
    CHECK(names_of(set_of("clients_that_end"), "2x2") ==
          std::vector<std::string>{"end+go,go", "go,go+go,go", "go,go+go,end"});
    CHECK(registered("clients_that_end/2x2/end+go,go").subject == "clients_of_nothing");
    CHECK(registered("clients_of_nothing/2x1/mine+one").subject == "clients_of_nothing");
}

TEST_CASE("A client in which a call may wait for ever is left out, and counted") {
    const client_set& set = set_of("clients_of_semaphore");
    CHECK(names_of(set, "2x1") == std::vector<std::string>{"release+release", "release+acquire"});
    CHECK(set.waiting > 0);
    const checked_set checked = check_clients("clients_of_semaphore");
    CHECK(checked.violated == none);
    CHECK(checked.held == set.clients.size());
}

TEST_CASE("A right queue holds for all of its clients") {
    const checked_set checked = check_clients("clients_of_queue");
    CHECK(checked.violated == none);
    CHECK(checked.held == 50);
}

TEST_CASE("A counting network is quiescently consistent, and neither sequentially consistent nor linearizable") {
    const std::vector<std::string> of_two{"clients_linearizable/2x2/take,take+take,take"};
    CHECK(check_clients("clients_linearizable").violated == of_two);
    CHECK(check_clients("clients_sequential").violated ==
          std::vector<std::string>{"clients_sequential/2x2/take,take+take,take"});
    CHECK(check_clients("clients_quiescent").violated == none);
    CHECK(check_clients("clients_careless").violated.size() == set_of("clients_careless").clients.size());
}

TEST_CASE("Sequential consistency lets calls of different threads come in any order") {
    CHECK(check_clients("clients_of_deaf").violated.size() == 2);
    CHECK(check_clients("clients_of_sequential_deaf").violated ==
          std::vector<std::string>{"clients_of_sequential_deaf/2x2/meet+add,get"});
}

TEST_CASE("A requirement is asked of the calls of each execution, by happens-before") {
    CHECK(check_clients("clients_of_tickets").violated == none);
    const checked_set checked = check_clients("clients_of_lossy_tickets");
    CHECK(checked.violated.size() == set_of("clients_of_lossy_tickets").clients.size());
    const search_result& result =
        result_of(checked, "clients_of_lossy_tickets", "clients_of_lossy_tickets/2x1/take+take");
    CHECK(result.message == "each number is taken once, in the order of time: take() = 0 | take() = 0");
}

TEST_CASE("Threads whose exchange makes other results are not interchangeable") {
    CHECK(check_clients("clients_of_summit").violated.size() == 1);
    const auto groups = [](std::string_view client) {
        return std::vector<int>(registered(client).claimed_groups.begin(), registered(client).claimed_groups.end());
    };
    CHECK(groups("clients_of_summit/3x1/note+note+note") == std::vector{1, 1, 1});
    CHECK(groups("clients_that_name_values/3x1/add+add+is:2") == std::vector{0, 0, 0});
}

TEST_CASE("What the calls of a start returned is what the specification goes on from") {
    const checked_set bag = check_clients("clients_of_forgetful_bag");
    REQUIRE(bag.violated == std::vector<std::string>{"clients_of_forgetful_bag/1x1/one_left:take"});
    CHECK(bag.results[0].message.starts_with(
        "no order of the calls that the specification allows has these results: take() = 1"));
    const checked_set box = check_clients("clients_of_failing_box");
    REQUIRE(box.violated == std::vector<std::string>{"clients_of_failing_box/1x1/tried:put"});
    CHECK(box.results[0].message == "the specification does not have these results of the start: put(1) = false");
    CHECK(check_clients("clients_of_box_that_may_fail").violated == none);
}

TEST_CASE("An outcome of a client is what its calls returned, one for all exchanges of threads") {
    const checked_set checked = check_clients("clients_of_queue");
    const auto outcomes = [&](std::string_view client) {
        std::vector<std::string> names;
        for (const auto& [outcome, executions] :
             result_of(checked, "clients_of_queue", "clients_of_queue/" + std::string(client)).outcomes) {
            names.push_back(outcome);
        }
        return names;
    };
    CHECK(outcomes("2x1/push+pop") ==
          std::vector<std::string>{"push(1) = true | pop() = 1", "push(1) = true | pop() = empty"});
    CHECK(outcomes("2x1/push+push") == std::vector<std::string>{"push(1) = true | push(2) = true"});
    CHECK(outcomes("2x1/full:pop+pop") == std::vector<std::string>{"pop() = 1 | pop() = 2"});
    // An exchange of the threads makes each of the last two another one, which is not listed.
    CHECK(outcomes("2x2/push,pop+push,pop") ==
          std::vector<std::string>{"push(1) = true, pop() = 1 | push(2) = true, pop() = 2",
                                   "push(1) = true, pop() = 2 | push(2) = true, pop() = 1",
                                   "push(1) = true, pop() = empty | push(2) = true, pop() = 1",
                                   "push(1) = true, pop() = empty | push(2) = true, pop() = 2"});
    search_options apart = full_search();
    apart.reductions.symmetry = false;
    const checked_set all = check_clients("clients_of_queue", apart);
    for (std::size_t i = 0; i < all.results.size(); ++i) {
        INFO(set_of("clients_of_queue").clients[i]->what.name);
        const auto names = [](const search_result& result) {
            std::vector<std::string> found;
            for (const auto& [outcome, executions] : result.outcomes) found.push_back(outcome);
            return found;
        };
        CHECK(names(all.results[i]) == names(checked.results[i]));
    }
}

TEST_CASE("Many threads that make the same calls have one outcome for all exchanges, however many") {
    client_set& set = set_of("clients_of_queue");
    REQUIRE(set.make_named("clients_of_queue/7x2/push,pop+push,pop+push,pop+push,pop+push,pop+push,pop+push,pop"));
    const client_of_set& client =
        *set.made.at("clients_of_queue/7x2/push,pop+push,pop+push,pop+push,pop+push,pop+push,pop+push,pop");
    const auto outcome = [&](const std::vector<int>& popped) {
        std::vector<client_result> results;
        for (const int value : popped) {
            results.push_back({client_result::kind::boolean, 1});
            results.push_back(value == 0 ? client_result{client_result::kind::empty, 0}
                                         : client_result{client_result::kind::number, value});
        }
        return detail::outcome_of(client, results);
    };
    // Exchanges of the first two threads, and of the last with the first.
    CHECK(outcome({2, 1, 3, 4, 5, 6, 7}) == outcome({1, 2, 3, 4, 5, 7, 6}));
    CHECK(outcome({0, 1, 3, 4, 5, 6, 7}) == outcome({1, 2, 3, 4, 5, 7, 0}));
    CHECK(outcome({0, 1, 3, 4, 5, 6, 7}) != outcome({0, 0, 3, 4, 5, 6, 7}));
    // Of few that have values of each other all exchanges are tried.
    CHECK(outcome({2, 1, 0, 0, 0, 0, 0}) == outcome({0, 0, 0, 0, 0, 7, 6}));
    CHECK(outcome({2, 1, 0, 0, 0, 0, 0}) != outcome({1, 2, 0, 0, 0, 0, 0}));
    CHECK(outcome({2, 3, 1, 0, 0, 0, 0}) == outcome({3, 1, 2, 0, 0, 0, 0}));
    CHECK(outcome({2, 3, 1, 0, 0, 0, 0}) != outcome({2, 1, 3, 0, 0, 0, 0}));
}

TEST_CASE("A strict specification rejects operations that may fail") {
    const checked_set checked = check_clients("clients_of_strict_queue");
    CHECK_FALSE(checked.violated.empty());
    for (const std::string& name : checked.violated) CHECK_FALSE(name.starts_with("clients_of_strict_queue/1x3"));
}

TEST_CASE("Clients alone find each order of a queue that is too weak") {
    const std::string name = GENERATE("clients_weak_0", "clients_weak_1", "clients_weak_2", "clients_weak_3");
    INFO(name);
    const checked_set checked = check_clients(name);
    REQUIRE_FALSE(checked.violated.empty());
    for (const std::string& each : checked.violated) {
        CHECK(result_of(checked, name, each).kind == violation_kind::data_race);
    }
}

TEST_CASE("A queue that is specified as a stack is violated by its results, in one thread already") {
    const checked_set checked = check_clients("clients_of_stack");
    REQUIRE_FALSE(checked.violated.empty());
    const std::string client = "clients_of_stack/1x3/push,push,pop";
    const search_result& result = result_of(checked, "clients_of_stack", client);
    CHECK(result.kind == violation_kind::failed_requirement);
    CHECK(result.message.find("push(1) = true, push(2) = true, pop() = 1") != std::string::npos);
}

TEST_CASE("Who gets a published value may read what was written before") {
    const checked_set checked = check_clients("clients_of_box");
    const search_result& result = result_of(checked, "clients_of_box", "clients_of_box/2x1/put+get");
    CHECK(result.kind == violation_kind::data_race);
    CHECK(result_of(checked, "clients_of_box", "clients_of_box/2x1/put+put").verdict == verdict::held);
}

TEST_CASE("An order of the calls is one that happens-before allows") {
    const checked_set longer = check_clients("clients_of_deaf");
    const char* const name = "clients_of_deaf/2x2/add+meet,get";
    const search_result& result = result_of(longer, "clients_of_deaf", name);
    CHECK(result.kind == violation_kind::failed_requirement);
    CHECK(result.message.find("add() happens before get()") != std::string::npos);
    CHECK(check_clients("clients_of_deaf_2x1").violated == none);
}

TEST_CASE("A call that completes later may wait, but not when the specification lets it go on") {
    CHECK(check_clients("clients_of_event").violated == none);
    const checked_set lossy = check_clients("clients_of_lossy_event");
    const search_result& result = result_of(lossy, "clients_of_lossy_event", "clients_of_lossy_event/2x1/set+wait");
    CHECK(result.kind == violation_kind::failed_requirement);
    CHECK(result.message.find("set() | wait() waits") != std::string::npos);
    CHECK(result_of(lossy, "clients_of_lossy_event", "clients_of_lossy_event/2x1/wait+wait").verdict == verdict::held);
}

TEST_CASE("Threads that make the same calls are interchangeable, and verdicts do not depend on it") {
    search_options each_order = full_search();
    each_order.reductions.symmetry = false;
    std::uint64_t fewer = 0;
    for (const char* const name : {"clients_of_queue", "clients_of_stack", "clients_of_strict_queue", "clients_weak_0",
                                   "clients_weak_3", "clients_of_event", "clients_of_lossy_event"}) {
        const checked_set one_of_each = check_clients(name);
        const checked_set all = check_clients(name, each_order);
        CHECK(one_of_each.violated == all.violated);
        for (std::size_t i = 0; i < all.results.size(); ++i) {
            INFO(set_of(name).clients[i]->what.name);
            if (all.results[i].verdict == verdict::violated) {
                CHECK(all.results[i].kind == one_of_each.results[i].kind);
                continue;
            }
            const std::uint64_t classes = one_of_each.results[i].executions;
            CHECK(classes <= all.results[i].executions);
            fewer += all.results[i].executions - classes;
        }
    }
    CHECK(fewer > 100);
}

TEST_CASE("Threads that are told apart by their values are not interchangeable, and what is wrong is found") {
    const checked_set checked = check_clients("clients_of_prejudiced");
    CHECK(checked.violated == std::vector<std::string>{"clients_of_prejudiced/2x1/put+put"});
    CHECK(checked.results.front().kind == violation_kind::failed_requirement);
}

TEST_CASE("Clients of other sizes are made when they are asked for, all or some at random") {
    client_set& set = set_of("clients_of_semaphore");
    const std::vector<client_size> declared = set.sizes;
    set.take_all({{3, 2}, {2, 1}, {3, 2}});
    CHECK(set.sizes.size() == 2);
    CHECK(names_of(set, "2x1") == std::vector<std::string>{"release+release", "release+acquire"});
    const std::vector<std::string> all = names_of(set, "3x2");
    CHECK(all.size() > 3);
    CHECK(words_of(set).find("2x1 and 3x2") != std::string::npos);

    set.take_drawn({{3, 2}}, 3, 7);
    const std::vector<std::string> drawn = names_of(set, "3x2");
    CHECK(drawn.size() == 3);
    for (const std::string& each : drawn) CHECK(std::ranges::count(all, each) == 1);
    set.take_drawn({{3, 2}}, 3, 7);
    CHECK(names_of(set, "3x2") == drawn);
    CHECK(words_of(set) == "3 clients of 3x2, drawn with seed 7");
    // Not more than there are.
    set.take_drawn({{3, 2}}, 1000, 8);
    std::vector<std::string> many = names_of(set, "3x2");
    std::ranges::sort(many);
    CHECK(std::ranges::adjacent_find(many) == many.end());
    CHECK(many.size() <= all.size());

    CHECK_THROWS_WITH(set.take_all({{9, 1}}), Catch::Matchers::StartsWith("a client has 1 to 8 threads"));
    CHECK(names_of(set, "3x2").size() == many.size());
    set.take_all(declared);
}

TEST_CASE("A client of any size is a scenario when it is named") {
    const char* const name = "clients_of_queue/3x2/full:pop,push+pop+push";
    REQUIRE(scenario_named(name) != nullptr);
    CHECK(scenario_named(name)->threads.size() == 3);
    CHECK(scenario_named(name) == scenario_named(name));
    CHECK(place_of_client(name).set == nullptr);
    CHECK(place_of_client("clients_of_queue/2x1/push+pop").size == "clients_of_queue/2x1");
    for (const char* const unknown :
         {"clients_of_queue/3x2/pop,push+pop", "clients_of_queue/3x1/pop,push+pop+push",
          "clients_of_queue/2x1/push+top", "clients_of_queue/2x1/empty:push+pop", "clients_of_queue/2x1",
          "clients_of_queue/9x1/push", "other/2x1/push+pop", "clients_of_queue/2x1/push+pop+",
          "clients_of_queue/2x1/+push+pop", "clients_of_queue/02x1/push+pop",
          "clients_of_semaphore/2x1/acquire+acquire", "clients_of_nothing/2x1/mine+own",
          "clients_of_nothing/2x1/one+with:5", "clients_of_nothing/2x1/one+with"}) {
        INFO(unknown);
        CHECK(scenario_named(unknown) == nullptr);
    }
    CHECK(scenario_named("clients_of_nothing/2x1/one+with:-4") != nullptr);
}

TEST_CASE("Clients run under the other engine, which knows no order of calls in different threads") {
    const client_set& set = set_of("clients_of_queue");
    std::vector<const scenario*> all;
    for (const auto& client : set.clients) {
        if (client->what.name.find("/2x1/") != std::string::npos) all.push_back(&registered(client->what.name));
    }
    for (const search_result& result : search_each(all, full_search())) {
        INFO(result.message);
        CHECK(result.verdict != verdict::violated);
        CHECK(result.executions > 0);
    }
}

}  // namespace ordeal::model_tests
