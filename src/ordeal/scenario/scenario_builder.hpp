// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ordeal/scenario/scenario.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ordeal {

namespace detail {

// The behaviour of a scenario made at run time, over one policy: how its state is constructed, and the functions over
// it.
template <class State>
struct scenario_recipe {
    std::function<void(void* storage, const scenario_recipe&)> construct;
    std::vector<std::function<void(State&)>> threads;
    std::function<void(State&)> finish;
    std::function<std::string(State&)> outcome;
};

// The object of one execution: the state, under whose type reports name it, and a pointer to its functions.
template <class State>
class made_object : public State {
    using recipe = scenario_recipe<State>;

public:
    // Initialises like `State object;`.
    explicit made_object(const recipe& made) : made_(&made) {}
    template <class... Args>
        requires(sizeof...(Args) > 0)
    explicit made_object(const recipe& made, const Args&... args) : State(args...), made_(&made) {}

    void run(int thread) { made_->threads[static_cast<std::size_t>(thread)](*this); }
    void finish() {
        if (made_->finish) made_->finish(*this);
    }
    [[nodiscard]] std::string outcome() { return made_->outcome ? made_->outcome(*this) : std::string(); }

private:
    const recipe* made_;
};

// A separate function, named by the type of the object: see construct_scenario().
template <class Object, class Recipe>
void construct_made(void* storage, const void* data) {
    const auto& made = *static_cast<const Recipe*>(data);
    made.construct(storage, made);
}

template <class State>
[[nodiscard]] scenario_body body_of_made(const scenario_recipe<State>& made) {
    using object = made_object<State>;
    return {.size = sizeof(object),
            .alignment = alignof(object),
            .construct = nullptr,
            .run = [](void* self, int thread) { static_cast<object*>(self)->run(thread); },
            .finish = [](void* self) { static_cast<object*>(self)->finish(); },
            .outcome = [](void* self) { return static_cast<object*>(self)->outcome(); },
            .destroy = [](void* self) { static_cast<object*>(self)->~object(); },
            .is_program = made.threads.size() == 1 && !made.finish && std::is_trivially_destructible_v<State>,
            .construct_from = &construct_made<object, scenario_recipe<State>>,
            .data = &made};
}

// Never destroyed: exit handlers, of code on trial too, may still use it.
inline void keep(std::shared_ptr<const void> made) {
    static auto& kept = *new std::vector<std::shared_ptr<const void>>;
    kept.push_back(std::move(made));
}

}  // namespace detail

/// A scenario that scenario_of() makes from data at run time. One thread at a time.
///
/// `States` is the class of the state, once for each policy that it runs over. A new state is constructed for each
/// execution, from copies of the arguments of scenario_of(), before the threads begin, and destroyed after the outcome.
/// Each function gets a reference to it: an `auto&` if the state is a template over a policy. The functions are copied
/// here and live as long as the program; they are called as const objects, in every execution again, and on several
/// threads at once. So whatever changes in an execution belongs in the state, never in a capture; anything a function
/// refers to must live as long as the program and not change.
template <class... States>
class scenario_builder {
public:
    /// Use scenario_of().
    template <class... Args>
    explicit scenario_builder(std::string_view name, const Args&... args) {
        what_.name = name;
        what_.subject = name.substr(0, name.find('/'));
        (set_construct<States>(args...), ...);
    }

    /// Adds a thread. A scenario has one to 71; Relacy runs eight at most.
    template <class Function>
    scenario_builder& thread(std::string name, const Function& run) {
        require_callable<Function>();
        what_.threads.push_back(std::move(name));
        (recipe<States>().threads.emplace_back([run](States& state) { run(state); }), ...);
        return *this;
    }

    /// Called after all threads have finished.
    template <class Function>
    scenario_builder& finish(const Function& check) {
        require_callable<Function>();
        ((recipe<States>().finish = [check](States& state) { check(state); }), ...);
        return *this;
    }

    /// A string or a number to count, such as the path taken. Called after finish().
    template <class Function>
    scenario_builder& outcome(const Function& values) {
        require_callable<Function>();
        ((recipe<States>().outcome = [values](States& state) { return detail::as_outcome(values(state)); }), ...);
        return *this;
    }

    /// The author's judgement of an outcome. Once an outcome is graded, those without a grade are forbidden.
    scenario_builder& graded(std::string outcome, grade expected, std::string sentence) {
        const auto kept = [this](std::string text) -> std::string_view {
            return made_->texts.emplace_back(std::move(text));
        };
        what_.outcomes.push_back({kept(std::move(outcome)), expected, kept(std::move(sentence))});
        return *this;
    }

    /// The required verdict; ordeal::held by default.
    scenario_builder& expected(expectation verdict) {
        what_.expected = verdict;
        return *this;
    }
    /// The subject; by default the part of the name before '/'.
    scenario_builder& subject(std::string name) {
        what_.subject = std::move(name);
        return *this;
    }
    /// One sentence, shown by `list`.
    scenario_builder& about(std::string sentence) {
        what_.about = std::move(sentence);
        return *this;
    }
    /// Marks it as no production code.
    scenario_builder& exhibit() {
        what_.exhibit = true;
        return *this;
    }
    /// These threads, by number, are interchangeable: executions that differ by a permutation of them count as one.
    scenario_builder& interchangeable(std::vector<int> threads) {
        what_.interchangeable = std::move(threads);
        return *this;
    }

    /// Threads with the same number, from 1, are taken for interchangeable until a search sees that they are not: then
    /// it begins again without that. By thread; 0 is in no group.
    scenario_builder& claimed_groups(std::vector<int> group_of_thread) {
        what_.claimed_groups = std::move(group_of_thread);
        return *this;
    }

    /// Adds it to the scenarios of the program, before the command line is run. Consumes the builder.
    void add_to_program() { register_scenario(made()); }

    /// The scenario, for a program that searches it itself. Consumes the builder.
    [[nodiscard]] scenario made() {
        describe();
        detail::keep(std::exchange(made_, nullptr));
        return std::move(what_);
    }

private:
    struct parts {
        std::tuple<detail::scenario_recipe<States>...> recipes;
        std::deque<std::string> texts;
    };

    template <class State>
    [[nodiscard]] detail::scenario_recipe<State>& recipe() {
        return std::get<detail::scenario_recipe<State>>(made_->recipes);
    }

    template <class State, class... Args>
    void set_construct(const Args&... args) {
        static_assert(std::is_class_v<State> && !std::is_final_v<State>,
                      "ordeal: the state of a scenario is a class, and not a final one");
        using recipe_type = detail::scenario_recipe<State>;
        recipe<State>().construct = [args...](void* storage, const recipe_type& made) {
            ::new (storage) detail::made_object<State>(made, args...);
        };
    }

    template <class Function>
    static void require_callable() {
        static_assert(
            (std::is_invocable_v<const Function&, States&> && ...),
            "ordeal: a function of a scenario is called with a reference to its state, and does not change what it "
            "has captured");
    }

    void describe() {
#ifdef ORDEAL_TRIAL
        what_.instrumented = true;
        (detail::on_real_threads ? what_.real : what_.model) = detail::body_of_made(std::get<0>(made_->recipes));
#else
        what_.model = detail::body_of_made(std::get<0>(made_->recipes));
        what_.real = detail::body_of_made(std::get<1>(made_->recipes));
#endif
    }

    scenario what_;
    std::shared_ptr<parts> made_ = std::make_shared<parts>();
};

#ifdef ORDEAL_TRIAL

/// Begins a scenario of this name, whose state is State(args...). In code compiled by ordeal_add_trial().
template <class State, class... Args>
[[nodiscard]] scenario_builder<State> scenario_of(std::string_view name, const Args&... args) {
    return scenario_builder<State>(name, args...);
}

/// As above, in the form that ships; named "plain/NAME", with the subject "plain/SUBJECT".
template <template <atomic_policy> class State, class... Args>
[[nodiscard]] auto scenario_of(std::string_view name, const Args&... args) {
    return scenario_builder<State<detail::policy_on_trial>>("plain/" + std::string(name), args...)
        .subject("plain/" + std::string(name.substr(0, name.find('/'))));
}

#else

/// Begins a scenario of this name, whose state is State<P>(args...) for each policy P.
template <template <atomic_policy> class State, class... Args>
[[nodiscard]] scenario_builder<State<model_policy>, State<jitter_policy>> scenario_of(std::string_view name,
                                                                                      const Args&... args) {
    return scenario_builder<State<model_policy>, State<jitter_policy>>(name, args...);
}

template <class State, class... Args>
void scenario_of(std::string_view /*name*/, const Args&... /*args*/) {
    static_assert(sizeof(State) == 0,
                  "ordeal: a scenario whose state is no template over a policy must be compiled by ordeal_add_trial(), "
                  "which makes its accesses visible");
}

#endif

}  // namespace ordeal
