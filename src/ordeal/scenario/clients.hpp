// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/scenario/client_family.hpp"
#include "ordeal/scenario/history.hpp"
#include "ordeal/scenario/scenario_builder.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ordeal {

/// The parameter of an operation that gets another value in each call of a client, T(1), T(2) and so on: so a result
/// tells whose value it is. To the class it is a token, which makes no difference by its value (data independence:
/// Wolper, "Expressing Interesting Properties of Programs in Propositional Temporal Logic", POPL 1986): threads that
/// make the same calls are taken for interchangeable, until an execution with two of them exchanged differs.
template <class T>
struct fresh {
    T value;
    operator const T&() const noexcept { return value; }
};

using detail::client_size;

/// The parameter of an operation that is told which thread calls it: the threads of a client have the numbers from 0,
/// and calls before they begin that of the first.
struct calling_thread {
    std::size_t number;
};

/// The parameter of an operation that completes later, in whatever thread resumes it: a coroutine that awaits. The call
/// returns at once; done(), or done(result), says that the operation has completed. A call that never completes is one
/// that the specification has to let wait for ever.
class completion {
public:
    template <class... Result>
        requires(sizeof...(Result) <= 1)
    void operator()(const Result&... result) const;

    using function = void(void* state, detail::client_record& record, bool observes, const client_result& result);
    completion(function* completed, void* state, detail::client_record& record, bool observes)
        : completed_(completed), state_(state), record_(&record), observes_(observes) {}

private:
    function* completed_;
    void* state_;
    detail::client_record* record_;
    bool observes_;
};

namespace detail {

struct fresh_number {
    int number;
    template <class T>
    operator fresh<T>() const {
        return {T(number)};
    }
};

}  // namespace detail

template <class... Result>
    requires(sizeof...(Result) <= 1)
void completion::operator()(const Result&... result) const {
    client_result returned;
    ((returned = detail::result_of(result)), ...);
    completed_(state_, *record_, observes_, returned);
}

namespace detail {

/// What an operation that returns this may return without an effect; pending: nothing is.
template <class T>
[[nodiscard]] consteval client_result::kind failure_of() {
    if constexpr (std::same_as<T, bool>) return client_result::kind::boolean;
    if constexpr (maybe_empty<T>) return client_result::kind::empty;
    return client_result::kind::pending;
}

template <class Function, class... Args>
client_result result_of_call(Function& function, Args&&... args) {
    if constexpr (std::is_void_v<std::invoke_result_t<Function&, Args...>>) {
        function(std::forward<Args>(args)...);
        return {};
    } else {
        return result_of(function(std::forward<Args>(args)...));
    }
}

// Plain memory, in the form of a cell.
struct plain_cell {
    int value = 0;
    [[nodiscard]] int& write() { return value; }
    [[nodiscard]] const int& read() const { return value; }
};

/// What a call passes, as far as the operation has a parameter for it: in this order.
struct client_arguments {
    int argument;
    calling_thread thread;
    const completion* done;
};

/// The parameters of an operation, beside the object.
template <class Function, class Object>
class operation_form {
    template <class... Args>
    static constexpr bool takes = std::is_invocable_v<const Function&, Object&, Args...>;
    template <class... Args>
    static constexpr bool takes_with_thread = takes<Args...> || takes<Args..., calling_thread>;
    template <class... Args>
    static constexpr bool completes = takes<Args..., completion> || takes<Args..., calling_thread, completion>;

public:
    static constexpr bool fresh = takes_with_thread<fresh_number> || completes<fresh_number>;
    static constexpr bool number = !fresh && (takes_with_thread<int> || completes<int>);
    static constexpr bool completes_later = completes<> || completes<int> || completes<fresh_number>;
    static constexpr bool told_thread = takes<calling_thread> || takes<int, calling_thread> ||
                                        takes<fresh_number, calling_thread> || takes<calling_thread, completion> ||
                                        takes<int, calling_thread, completion> ||
                                        takes<fresh_number, calling_thread, completion>;
    static consteval client_result::kind failure() {
        if constexpr (completes_later) {
            return client_result::kind::pending;
        } else if constexpr (fresh) {
            return failure_with<fresh_number>();
        } else if constexpr (number) {
            return failure_with<int>();
        } else {
            return failure_with<>();
        }
    }

    static client_result call(const Function& function, Object& on, const client_arguments& with) {
        if constexpr (fresh) {
            return call_with(function, on, with, fresh_number{with.argument});
        } else if constexpr (number) {
            return call_with(function, on, with, with.argument);
        } else {
            return call_with(function, on, with);
        }
    }

private:
    template <class... Args>
    static consteval client_result::kind failure_with() {
        if constexpr (takes<Args...>) {
            return failure_of<std::invoke_result_t<const Function&, Object&, Args...>>();
        } else {
            return failure_of<std::invoke_result_t<const Function&, Object&, Args..., calling_thread>>();
        }
    }
    template <class... Args>
    static client_result call_with(const Function& function, Object& on, const client_arguments& with, Args... args) {
        if constexpr (takes<Args..., calling_thread, completion>) {
            function(on, args..., with.thread, *with.done);
            return {};
        } else if constexpr (takes<Args..., completion>) {
            function(on, args..., *with.done);
            return {};
        } else if constexpr (takes<Args..., calling_thread>) {
            return result_of_call(function, on, args..., with.thread);
        } else {
            return result_of_call(function, on, args...);
        }
    }
};

/// How calls are made on one type of object.
template <class Object>
struct calls_on {
    struct operation {
        std::function<client_result(Object&, const client_arguments& with)> call;
        bool completes_later = false;
        bool publishes = false;
        bool observes = false;
    };
    std::vector<operation> operations;
    std::function<void(Object&)> finish;
};

/// The state of a client: the object, what each thread wrote before it published a value, and what became of the calls.
template <class Object, class Cell>
class client_state {
public:
    /// `calls` has a pointer to those on this type of object.
    template <class Calls>
    client_state(const Calls& calls, const client_program* program)
        : calls_(std::get<const calls_on<Object>*>(calls)), program_(program) {
        for (std::size_t thread = 0; thread < program->thread_names.size(); ++thread) {
            for (std::size_t i = 0; i < calls_of_thread(*program, thread); ++i) std::construct_at(&history_[thread][i]);
        }
        for (std::size_t i = 0; i < starting_calls(*program); ++i) {
            std::construct_at(&of_start_[i]);
            make(starting_call(*program, i), {.number = 0}, of_start_[i]);
        }
    }

    void run_thread(std::size_t thread) {
        for (std::size_t i = 0; i < calls_of_thread(*program_, thread); ++i) {
            make(call_of_thread(*program_, thread, i), {.number = thread}, history_[thread][i]);
        }
    }

    void check() {
        require_explained(*program_, of_start_, history_);
        if (!calls_->finish) return;
        judged_ = true;
        calls_->finish(object);
    }

    [[nodiscard]] std::string outcome() const { return outcome_of(*program_, history_); }

    Object object;

private:
    void make(const client_call& call, calling_thread thread, client_record& record) {
        const auto& operation = calls_->operations[call.operation];
        record.began = now();
        if (operation.publishes) payload_[static_cast<std::size_t>(call.argument)].write() = call.argument;
        const completion done(&complete, this, record, operation.observes);
        const client_result result = operation.call(object, {call.argument, thread, &done});
        if (!operation.completes_later) complete(this, record, operation.observes, result);
    }

    // By the thread in which the operation ends.
    static void complete(void* state, client_record& record, bool observes, const client_result& result) {
        require(record.result.what == client_result::kind::pending, "a call completes once");
        record.result =
            static_cast<client_state*>(state)->judged_ ? client_result{client_result::kind::finished, 0} : result;
        record.ended = now();
        const bool names_payload = observes && result.what == client_result::kind::number && result.number > 0 &&
                                   result.number <= static_cast<std::int64_t>(most_client_calls);
        if (!names_payload) return;
        auto& payload = static_cast<client_state*>(state)->payload_[static_cast<std::size_t>(result.number)];
        require(payload.read() == result.number,
                "what was written before a value was published is seen by the one who got the value");
    }

    const calls_on<Object>* calls_;
    const client_program* program_;
    std::array<Cell, most_client_calls + 1> payload_{};  ///< by number of the fresh value
    // Each write is one of every execution, so only what the client calls is constructed.
    union {
        client_start_history of_start_;
    };
    union {
        client_history history_;
    };
    bool judged_ = false;  ///< what completes now is resumed by finish()
};

class requirement_by_function final : public client_requirement {
public:
    requirement_by_function(std::string_view sentence, std::function<bool(const call_history&)> holds)
        : sentence_(sentence), holds_(std::move(holds)) {}

    [[nodiscard]] const char* sentence() const override { return sentence_.c_str(); }
    [[nodiscard]] bool holds(const call_history& calls) const override { return holds_(calls); }

private:
    std::string sentence_;
    std::function<bool(const call_history&)> holds_;
};

template <class State>
class specification_over final : public client_specification {
public:
    struct operation {
        std::function<client_result(State&, int, choice&)> apply;
        std::function<bool(const State&, int)> is_enabled;
    };

    explicit specification_over(State initial) : initial_(std::move(initial)) {}

    [[nodiscard]] void* initial() const override { return new State(initial_); }
    [[nodiscard]] void* copy(const void* state) const override { return new State(*static_cast<const State*>(state)); }
    void destroy(void* state) const override { delete static_cast<State*>(state); }
    [[nodiscard]] bool are_equal(const void* one, const void* other) const override {
        if constexpr (std::equality_comparable<State>) {
            return *static_cast<const State*>(one) == *static_cast<const State*>(other);
        } else {
            return false;
        }
    }
    [[nodiscard]] bool may_wait() const override {
        return std::ranges::any_of(operations, [](const operation& each) { return each.is_enabled != nullptr; });
    }
    [[nodiscard]] bool is_enabled(const void* state, client_call call) const override {
        const auto& asked = operations[call.operation].is_enabled;
        return !asked || asked(*static_cast<const State*>(state), call.argument);
    }
    client_result apply(void* state, client_call call, choice& choose) const override {
        return operations[call.operation].apply(*static_cast<State*>(state), call.argument, choose);
    }

    std::deque<operation> operations;  ///< by number of the operation

private:
    State initial_;
};

/// What a declaration of clients says, but for the functions over the class.
struct declared_clients {
    std::string name;
    std::string subject;
    std::deque<std::string> texts;
    std::deque<std::vector<int>> arguments;
    std::deque<std::vector<const char*>> starts_calls;
    std::vector<client_operation> operations;
    std::vector<client_start> starts;
    bool from_new = true;
    std::vector<client_size> sizes{{1, 3}, {2, 1}, {2, 2}, {3, 1}};
    std::vector<const char*> clients;
    std::source_location where;
    std::unique_ptr<client_specification> specification;
    std::vector<std::string> specified;
    ordeal::consistency consistency = consistency::linearizable;
    std::deque<requirement_by_function> requirements;
    std::vector<const client_requirement*> requirement_pointers;

    [[nodiscard]] const char* kept(std::string_view text) { return texts.emplace_back(text).c_str(); }
    [[nodiscard]] std::size_t number_of(std::string_view operation) const {
        for (std::size_t i = 0; i < operations.size(); ++i) {
            if (operation == operations[i].name) return i;
        }
        refuse_clients(name.c_str(), ("there is no operation '" + std::string(operation) + "'").c_str());
    }
};

}  // namespace detail

/// The sequential specification of a class: what its operations do to a value that stands for the object.
template <class State>
class specification_builder {
public:
    /// Made by clients_builder::specification().
    specification_builder(detail::declared_clients& clients, detail::specification_over<State>& made)
        : clients_(&clients), made_(&made) {}

    /// What the operation of this name does, as a function of a State& and of the argument of the call, if it has one:
    /// it changes the state, and returns what the operation returns. A last parameter choice& makes several ways of it,
    /// as for a bag, or an order that is relaxed. `is_enabled`, a function of the same parameters, says whether the
    /// call need not wait; a client is left out if some order of its calls ends with calls that wait for ever.
    template <class Function, class Enabled = std::nullptr_t>
    specification_builder& operation(std::string_view name, Function function, Enabled is_enabled = nullptr) {
        const std::size_t number = clients_->number_of(name);
        if (made_->operations.size() < clients_->operations.size())
            made_->operations.resize(clients_->operations.size());
        auto& operation = made_->operations[number];
        operation.apply = [function](State& state, int argument, choice& choose) mutable {
            if constexpr (std::is_invocable_v<Function&, State&, int, choice&>) {
                return detail::result_of_call(function, state, argument, choose);
            } else if constexpr (std::is_invocable_v<Function&, State&, choice&>) {
                return detail::result_of_call(function, state, choose);
            } else if constexpr (std::is_invocable_v<Function&, State&, int>) {
                return detail::result_of_call(function, state, argument);
            } else {
                return detail::result_of_call(function, state);
            }
        };
        if constexpr (std::is_invocable_v<Enabled&, const State&, int>) {
            operation.is_enabled = [is_enabled](const State& state, int argument) {
                return is_enabled(state, argument);
            };
        } else if constexpr (!std::is_same_v<Enabled, std::nullptr_t>) {
            operation.is_enabled = [is_enabled](const State& state, int) { return is_enabled(state); };
        }
        clients_->specified.emplace_back(name);
        return *this;
    }

    /// Which orders it has to allow one of; without it those that keep happens-before.
    specification_builder& consistency(ordeal::consistency wanted) {
        clients_->consistency = wanted;
        return *this;
    }

private:
    detail::declared_clients* clients_;
    detail::specification_over<State>* made_;
};

/// How an operation may be used.
class client_operation_builder {
public:
    client_operation_builder(detail::declared_clients& clients, std::size_t number, std::function<void(bool)> payload)
        : clients_(&clients), number_(number), payload_(std::move(payload)) {}

    /// The call gets one of these values; all clients have each.
    client_operation_builder& with(std::initializer_list<int> values) {
        what().arguments = clients_->arguments.emplace_back(values);
        return *this;
    }
    /// It may return false or nothing where the specification has something, without an effect, as the try of a queue
    /// that another thread is about to change.
    client_operation_builder& may_fail() {
        what().may_fail = true;
        return *this;
    }
    /// No two threads of a client call it.
    client_operation_builder& by_one_thread() {
        what().by_one_thread = true;
        return *this;
    }
    /// One thread of a client makes all calls of the operations that are marked so.
    client_operation_builder& by_owner() {
        what().by_owner = true;
        return *this;
    }
    /// A client calls it so often at most.
    client_operation_builder& at_most(unsigned calls) {
        what().at_most = calls;
        return *this;
    }
    /// The thread that calls it calls nothing after it, as what it used may be gone.
    client_operation_builder& last() {
        what().last = true;
        return *this;
    }
    /// Its fresh value is handed over: who gets it may read what was written before the call.
    client_operation_builder& publishes() {
        payload_(true);
        return *this;
    }
    /// Its result may be a value that another operation publishes.
    client_operation_builder& observes() {
        payload_(false);
        return *this;
    }

private:
    [[nodiscard]] detail::client_operation& what() { return clients_->operations[number_]; }

    detail::declared_clients* clients_;
    std::size_t number_;
    std::function<void(bool publishes)> payload_;
};

/// Declares the operations of a class, from which all clients are made: see ORDEAL_CLIENTS.
template <class... States>
class clients_builder {
public:
    clients_builder(std::string_view name, const std::source_location& where) {
        made_->declared.name = name;
        made_->declared.subject = name;
        made_->declared.where = where;
    }

    /// An operation: a function of a reference to the object, `auto&` if the class is a template over a policy, then
    /// perhaps of a fresh<T> or an int, of which `with()` gives the values, and of a completion if it completes later.
    /// It returns nothing, a bool, a number, or an optional one.
    template <class Function>
    client_operation_builder operation(std::string_view name, Function function) {
        detail::declared_clients& declared = made_->declared;
        detail::client_operation& added = declared.operations.emplace_back();
        added.name = declared.kept(name);
        added.fresh = (form_on<States, Function>::fresh && ...);
        added.has_argument = (form_on<States, Function>::number && ...);
        added.completes_later = (form_on<States, Function>::completes_later && ...);
        added.told_thread = (form_on<States, Function>::told_thread || ...);
        ((added.failure = form_on<States, Function>::failure()), ...);
        (add<States>(function), ...);
        return {declared, declared.operations.size() - 1,
                [kept = made_, number = declared.operations.size() - 1](bool publishes) {
                    if (publishes && !kept->declared.operations[number].fresh) {
                        detail::refuse_clients(kept->declared.name.c_str(), "what publishes has a parameter fresh<T>");
                    }
                    (kept->template mark<States>(number, publishes), ...);
                }};
    }

    /// A state from which clients start, besides a new object: these operations lead there.
    clients_builder& starts(std::string_view name, std::initializer_list<const char*> operations) {
        detail::declared_clients& declared = made_->declared;
        auto& calls = declared.starts_calls.emplace_back();
        for (const char* const each : operations) calls.push_back(declared.operations[declared.number_of(each)].name);
        declared.starts.push_back({declared.kept(name), calls});
        return *this;
    }
    /// No client starts from a new object.
    clients_builder& not_from_new() {
        made_->declared.from_new = false;
        return *this;
    }
    /// What an audit by these clients is of; by default what they are named after. Several declarations may share it.
    clients_builder& subject(std::string_view name) {
        made_->declared.subject = name;
        return *this;
    }
    /// How large the clients are: so many threads, of so many calls each. Without it 1x3, 2x1, 2x2 and 3x1.
    clients_builder& sizes(std::initializer_list<client_size> threads_by_calls) {
        made_->declared.sizes = threads_by_calls;
        return *this;
    }

    /// One client more, of any size, as "2x3/full:push,push+pop,pop": a regression test of what it found.
    clients_builder& client(std::string_view name) {
        made_->declared.clients.push_back(made_->declared.kept(name));
        return *this;
    }

    /// Called when all threads have finished and their results are judged, with a reference to the object: resumes what
    /// still waits.
    template <class Function>
    clients_builder& finish(const Function& function) {
        ((made_->template on<States>().finish = [function](auto& object) { function(object); }), ...);
        return *this;
    }

    /// The sequential specification, by which results are judged: each execution has an order of all calls that
    /// happens-before allows, in which a copy of `initial` returns the same. consistency() makes it another order.
    template <class State>
    specification_builder<State> specification(State initial) {
        auto over = std::make_unique<detail::specification_over<State>>(std::move(initial));
        auto& result = *over;
        made_->declared.specification = std::move(over);
        return {made_->declared, result};
    }

    /// What holds of the calls of each execution, as a sentence and a function of a const call_history& that returns a
    /// bool: beside a specification, or where no sequential one says it. Asked when all threads have finished.
    template <class Function>
    clients_builder& requirement(std::string_view sentence, Function holds) {
        detail::declared_clients& declared = made_->declared;
        declared.requirement_pointers.push_back(&declared.requirements.emplace_back(sentence, std::move(holds)));
        return *this;
    }

    void add_to_program() {
        const detail::declared_clients& declared = made_->declared;
        for (const auto& each : declared.operations) {
            const bool specified = std::ranges::find(declared.specified, each.name) != declared.specified.end();
            if (declared.specification && !specified) {
                detail::refuse_clients(declared.name.c_str(),
                                       (std::string("the specification lacks '") + each.name + "'").c_str());
            }
        }
        detail::client_family family;
        family.name = declared.name.c_str();
        family.operations = declared.operations;
        family.starts = declared.starts;
        family.from_new = declared.from_new;
        family.sizes = declared.sizes;
        family.clients = declared.clients;
        family.specification = declared.specification.get();
        family.consistency = declared.consistency;
        family.requirements = declared.requirement_pointers;
        family.where = declared.where;
        detail::make_clients(family, &clients_builder::add_client, made_.get());
        detail::keep(std::exchange(made_, nullptr));
    }

private:
    struct parts {
        detail::declared_clients declared;
        std::tuple<detail::calls_on<decltype(States::object)>...> calls;

        template <class State>
        [[nodiscard]] auto& on() {
            return std::get<detail::calls_on<decltype(State::object)>>(calls);
        }
        template <class State>
        void mark(std::size_t number, bool publishes) {
            auto& operation = on<State>().operations[number];
            (publishes ? operation.publishes : operation.observes) = true;
        }
    };

    template <class State, class Function>
    using form_on = detail::operation_form<Function, decltype(State::object)>;

    template <class State, class Function>
    void add(const Function& function) {
        auto& operation = made_->template on<State>().operations.emplace_back();
        operation.completes_later = form_on<State, Function>::completes_later;
        operation.call = [function](decltype(State::object)& on, const detail::client_arguments& with) {
            return form_on<State, Function>::call(function, on, with);
        };
    }

    static void add_client(void* context, const detail::client_program& program) {
        auto& made = *static_cast<parts*>(context);
        const auto calls = std::make_tuple(&std::as_const(made.template on<States>())...);
        scenario_builder<States...> builder(program.name, calls, &program);
        for (std::size_t i = 0; i < program.thread_names.size(); ++i) {
            builder.thread(program.thread_names[i], [i](auto& state) { state.run_thread(i); });
        }
        builder.claimed_groups({program.same_calls.begin(), program.same_calls.end()});
        builder.subject(made.declared.subject).finish([](auto& state) { state.check(); });
        if (made.declared.specification) builder.outcome([](auto& state) { return state.outcome(); });
        builder.add_to_program();
    }

    std::shared_ptr<parts> made_ = std::make_shared<parts>();
};

namespace detail {

inline namespace ORDEAL_VERSION_NAMESPACE {

template <class Builder, class Declare>
bool declare_clients(Builder builder, const Declare& declare) {
    declare(builder);
    builder.add_to_program();
    return true;
}

#ifdef ORDEAL_TRIAL

template <class Object, class Declare>
bool declare_clients_of(std::string_view name, const std::source_location& where, const Declare& declare) {
    return declare_clients(clients_builder<client_state<Object, plain_cell>>(name, where), declare);
}
template <template <atomic_policy> class Object, class Declare>
bool declare_clients_of(std::string_view name, const std::source_location& where, const Declare& declare) {
    using policy = policy_on_trial;
    using state = client_state<Object<policy>, typename policy::template cell<int>>;
    return declare_clients(clients_builder<state>("plain/" + std::string(name), where), declare);
}

#else

template <template <atomic_policy> class Object, class Declare>
bool declare_clients_of(std::string_view name, const std::source_location& where, const Declare& declare) {
    using in_model = client_state<Object<model_policy>, model_policy::cell<int>>;
    using on_threads = client_state<Object<jitter_policy>, jitter_policy::cell<int>>;
    return declare_clients(clients_builder<in_model, on_threads>(name, where), declare);
}
template <class Object, class Declare>
bool declare_clients_of(std::string_view /*name*/, const std::source_location& /*where*/, const Declare& /*declare*/) {
    static_assert(sizeof(Object) == 0,
                  "ordeal: clients of a class that is no template over a policy must be compiled by "
                  "ordeal_add_trial(), which makes its accesses visible");
    return false;
}

#endif

}  // namespace ORDEAL_VERSION_NAMESPACE

}  // namespace detail

/// ORDEAL_CLIENTS(clients, "ring", bounded_ring<int>) { clients.operation("push", ...); ... }
///
/// Makes a scenario of each client of a class: of each program of a few threads that call a few operations of one
/// object. The class, a template over an atomic policy or in code on trial any class with a default constructor, comes
/// last; `clients`, a clients_builder, is what the body declares its operations with. The scenarios are named
/// "ring/2x1/push+pop", for threads x calls, "+" between threads and "," between calls.
///
/// No two clients differ by an exchange of threads, and none can be longer within its size.
#define ORDEAL_CLIENTS(clients, name, ...) \
    ORDEAL_CLIENTS_FUNCTION(clients, name, ORDEAL_JOINED(ordeal_clients_, __COUNTER__), __VA_ARGS__)

#define ORDEAL_CLIENTS_FUNCTION(clients, name, function, ...) \
    ORDEAL_COUNTER_BEGIN static void function(auto& clients); \
    [[maybe_unused]] static const bool ORDEAL_JOINED(function, _declared) = \
        ::ordeal::detail::declare_clients_of<__VA_ARGS__>(name, std::source_location::current(), \
                                                          [](auto& made) { function(made); }); \
    ORDEAL_COUNTER_END static void function([[maybe_unused]] auto& clients)

}  // namespace ordeal
