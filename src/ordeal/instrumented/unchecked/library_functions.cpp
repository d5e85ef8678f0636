// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the C library, of libstdc++ and of the compiler's runtime library whose calls need no limit. Each was
// reviewed by one rule, so that three things are known of it:
//
// 1. The memory of its caller that it may read and write. The table lists it: objects passed by address, with their
//    size. They are accounted for as non-atomic accesses of the caller, so that races are found. A member function
//    accesses its object; classes without a size in the table have no mutable objects, or every access to them is made
//    by functions of ours.
// 2. The other state that it may read and write: what a library keeps for all threads, and process state. Where the
//    standard allows concurrent use, either no thread can observe an effect, or the calls are serialised (3). Where it
//    does not, the call is also an access to that state. Per-thread state (errno, the floating-point environment) needs
//    no account: the model has it for each of its threads.
// 3. Its order with the calls of other threads. Either the result does not depend on it; or the calls are serialised,
//    as under a lock, and every order is explored.
//
// Changes to the process are part of its state: process_state.hpp says what is saved and restored. A function that is
// neither listed here nor ours is a limit of every verdict on code that calls it. A test compares the table with the
// exports of libstdc++.
#include "ordeal/instrumented/unchecked/library_functions.hpp"

#include <pthread.h>

#include <algorithm>
#include <cfenv>
#include <ctime>
#include <cwchar>
#include <ios>
#include <locale>
#include <memory_resource>
#include <new>
#include <stdexcept>
#include <system_error>

namespace ordeal::detail {

namespace {

// Accesses nothing that two threads could share, or only through functions of ours.
template <class... Symbols>
constexpr auto nothing(Symbols... symbols) noexcept {
    return std::array{library_function{.symbol = symbols}...};
}

constexpr accessed_argument reads(std::uint8_t number, std::size_t size) noexcept {
    return {number, static_cast<std::uint16_t>(size), false};
}
constexpr accessed_argument writes(std::uint8_t number, std::size_t size) noexcept {
    return {number, static_cast<std::uint16_t>(size), true};
}
// As many as the argument `by` says.
constexpr accessed_argument counted(accessed_argument what, std::uint8_t by) noexcept {
    what.count = {extent::kind::counted, 0, by};
    return what;
}
// As many as the bytes from the argument `first` to the argument `last`.
constexpr accessed_argument spanned(accessed_argument what, std::uint8_t first, std::uint8_t last) noexcept {
    what.count = {extent::kind::spanned, first, last};
    return what;
}
template <class... Objects>
constexpr library_function accesses(std::string_view symbol, Objects... objects) noexcept {
    return {.symbol = symbol, .objects = {objects...}};
}

constexpr library_function reading(library_state what, library_function function) noexcept {
    function.uses = what;
    return function;
}
template <class... Symbols>
constexpr auto turns(library_state at, Symbols... symbols) noexcept {
    return std::array{library_function{.symbol = symbols, .serialised_on = at}...};
}

// A list of these functions and lists.
template <class... Parts>
constexpr auto joined(const Parts&... parts) noexcept {
    std::array<library_function, (sizeof(Parts) + ...) / sizeof(library_function)> result{};
    auto* to = result.data();
    const auto add = [&](const auto& part) {
        if constexpr (requires { part.begin(); }) {
            to = std::ranges::copy(part, to).out;
        } else {
            *to++ = part;
        }
    };
    (add(parts), ...);
    return result;
}

constexpr std::size_t of_pointer = sizeof(void*);
constexpr std::size_t of_exception = sizeof(std::exception);
constexpr std::size_t of_error = sizeof(std::runtime_error);
static_assert(sizeof(std::logic_error) == of_error);
constexpr std::size_t of_system_error = sizeof(std::system_error);
constexpr std::size_t of_locale = sizeof(std::locale);
constexpr std::size_t of_stream = sizeof(std::ios_base);
constexpr std::size_t of_environment = sizeof(std::fenv_t);

constexpr auto of_compiler = joined(
    // Of the loader, the linker and the compiler.
    nothing("_ITM_*", "__gmon_start__", "__cxa_finalize", "_Unwind_*", "__gxx_personality_v0", "__gcc_personality_v0",
            "__stack_chk_fail", "__fortify_fail", "__chk_fail", "__errno_location"));

constexpr auto of_exceptions = joined(
    // A thrown object belongs to one thread, or is counted by functions in exception_calls.cpp.
    nothing("__cxa_allocate_exception", "__cxa_free_exception", "__cxa_throw*", "__cxa_rethrow*", "__cxa_begin_catch",
            "__cxa_end_catch", "__cxa_call_*", "__cxa_get_*", "__cxa_init_primary_exception", "__cxa_current_*",
            "__cxa_bad_*", "__cxa_pure_virtual", "__cxa_deleted_virtual", "__cxa_allocate_dependent_exception",
            "__cxa_free_dependent_exception", "__cxa_dependent_*", "_ZSt9terminatev", "_ZSt10unexpectedv",
            "_ZSt17current_exceptionv"),
    accesses("_ZSt17rethrow_exception*", reads(0, of_pointer)),
    nothing("_ZSt18uncaught_exceptionv", "_ZSt19uncaught_exceptionsv"),

    // Type information, which is constant.
    accesses("__dynamic_cast", reads(0, of_pointer)),
    nothing("_ZNKSt9type_info*", "_ZNSt9type_info*", "_ZNK10__cxxabiv1*", "_ZN10__cxxabiv1*"),

    // [handler.functions]: concurrent calls are allowed, and setting a handler synchronises with getting it later.
    turns(library_state::handlers, "_ZSt13get_terminatev", "_ZSt13set_terminatePFvvE", "_ZSt14get_unexpectedv",
          "_ZSt14set_unexpectedPFvvE", "_ZSt15get_new_handlerv", "_ZSt15set_new_handlerPFvvE"),

    // A pointer to the exception. The functions that count references are ours.
    nothing("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv", "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv"),
    accesses("_ZNSt15__exception_ptr13exception_ptr4swapERS0_", writes(0, of_pointer), writes(1, of_pointer)),
    accesses("_ZNSt15__exception_ptr13exception_ptrC1ERKS0_", writes(0, of_pointer), reads(1, of_pointer)),
    accesses("_ZNSt15__exception_ptr13exception_ptrC2ERKS0_", writes(0, of_pointer), reads(1, of_pointer)),
    accesses("_ZNSt15__exception_ptr13exception_ptrC*", writes(0, of_pointer)),
    accesses("_ZNSt15__exception_ptr13exception_ptrD*", writes(0, of_pointer)),
    accesses("_ZNSt15__exception_ptr13exception_ptraSERKS0_", writes(0, of_pointer), reads(1, of_pointer)),
    accesses("_ZNKSt15__exception_ptr13exception_ptr*", reads(0, of_pointer)),
    accesses("_ZNSt15__exception_ptreq*", reads(0, of_pointer), reads(1, of_pointer)),
    accesses("_ZNSt15__exception_ptrne*", reads(0, of_pointer), reads(1, of_pointer)),
    accesses("_ZNSt16nested_exceptionD*", writes(0, sizeof(std::nested_exception))),

    // Exception objects: constructors with a text of the caller's are ours.
    accesses("_ZNSt9exceptionD*", writes(0, of_exception)), accesses("_ZNKSt9exception*", reads(0, of_exception)),
    accesses("_ZNSt9bad_allocD*", writes(0, of_exception)), accesses("_ZNKSt9bad_alloc*", reads(0, of_exception)),
    accesses("_ZNSt8bad_castD*", writes(0, of_exception)), accesses("_ZNKSt8bad_cast*", reads(0, of_exception)),
    accesses("_ZNSt10bad_typeidD*", writes(0, of_exception)), accesses("_ZNKSt10bad_typeid*", reads(0, of_exception)),
    accesses("_ZNSt13bad_exceptionD*", writes(0, of_exception)),
    accesses("_ZNKSt13bad_exception*", reads(0, of_exception)),
    accesses("_ZNSt17bad_function_callD*", writes(0, of_exception)),
    accesses("_ZNKSt17bad_function_call*", reads(0, of_exception)),
    accesses("_ZNSt20bad_array_new_lengthD*", writes(0, of_exception)),
    accesses("_ZNKSt20bad_array_new_length*", reads(0, of_exception)),
    accesses("_ZNSt12bad_weak_ptrD*", writes(0, of_exception)),
    accesses("_ZNKSt12bad_weak_ptr*", reads(0, of_exception)),
    accesses("_ZNSt16bad_any_castD*", writes(0, of_exception)),
    accesses("_ZNSt11logic_errorC1ERKS_", writes(0, of_error), reads(1, of_error)),
    accesses("_ZNSt11logic_errorC2ERKS_", writes(0, of_error), reads(1, of_error)),
    accesses("_ZNSt11logic_erroraSERKS_", writes(0, of_error), reads(1, of_error)),
    accesses("_ZNSt11logic_errorC1EOS_", writes(0, of_error), writes(1, of_error)),
    accesses("_ZNSt11logic_errorC2EOS_", writes(0, of_error), writes(1, of_error)),
    accesses("_ZNSt11logic_erroraSEOS_", writes(0, of_error), writes(1, of_error)),
    accesses("_ZNSt11logic_errorD*", writes(0, of_error)), accesses("_ZNKSt11logic_error4whatEv", reads(0, of_error)),
    accesses("_ZNSt13runtime_errorC1ERKS_", writes(0, of_error), reads(1, of_error)),
    accesses("_ZNSt13runtime_errorC2ERKS_", writes(0, of_error), reads(1, of_error)),
    accesses("_ZNSt13runtime_erroraSERKS_", writes(0, of_error), reads(1, of_error)),
    accesses("_ZNSt13runtime_errorC1EOS_", writes(0, of_error), writes(1, of_error)),
    accesses("_ZNSt13runtime_errorC2EOS_", writes(0, of_error), writes(1, of_error)),
    accesses("_ZNSt13runtime_erroraSEOS_", writes(0, of_error), writes(1, of_error)),
    accesses("_ZNSt13runtime_errorD*", writes(0, of_error)),
    accesses("_ZNKSt13runtime_error4whatEv", reads(0, of_error)),
    accesses("_ZNSt12domain_errorD*", writes(0, of_error)), accesses("_ZNSt12length_errorD*", writes(0, of_error)),
    accesses("_ZNSt12out_of_rangeD*", writes(0, of_error)), accesses("_ZNSt16invalid_argumentD*", writes(0, of_error)),
    accesses("_ZNSt11range_errorD*", writes(0, of_error)), accesses("_ZNSt14overflow_errorD*", writes(0, of_error)),
    accesses("_ZNSt15underflow_errorD*", writes(0, of_error)),
    accesses("_ZNSt12system_errorD*", writes(0, of_system_error)),
    accesses("_ZNSt12future_errorD*", writes(0, of_system_error)),
    accesses("_ZNKSt12future_error4whatEv", reads(0, of_system_error)),

    // Error categories have no mutable state.
    nothing("_ZNSt3_V214error_category*", "_ZNKSt3_V214error_category*", "_ZNSt3_V215system_categoryEv",
            "_ZNSt3_V216generic_categoryEv", "_ZSt15future_categoryv"));

constexpr auto of_threads = joined(
    // Built on functions that are ours: locks, waits, threads.
    nothing("_ZNSt18condition_variable*", "_ZNSt3_V222condition_variable_any*", "_ZNSt28__atomic_futex_unsigned_base*",
            "_ZSt25notify_all_at_thread_exit*", "_ZNSt6thread6_StateD*", "_ZNSt6thread20hardware_concurrencyEv",
            "_ZNSt11this_thread11__sleep_for*", "_ZNSt13__future_base*", "__once_proxy", "_ZSt15get_once_mutexv",
            "_ZSt16__get_once_mutexv", "_ZSt27__set_once_functor_lock_ptr*", "__sched_cpucount",
            "sched_get_priority_max", "sched_get_priority_min", "pthread_equal"),
    // Attributes: what is made with them is ours, and has its kind, or its clock, where the C library keeps it.
    accesses("pthread_mutexattr_init", writes(0, sizeof(pthread_mutexattr_t))),
    accesses("pthread_mutexattr_destroy", writes(0, sizeof(pthread_mutexattr_t))),
    accesses("pthread_mutexattr_set*", writes(0, sizeof(pthread_mutexattr_t))),
    accesses("pthread_mutexattr_get*", reads(0, sizeof(pthread_mutexattr_t)), writes(1, sizeof(int))),
    accesses("pthread_rwlockattr_init", writes(0, sizeof(pthread_rwlockattr_t))),
    accesses("pthread_rwlockattr_destroy", writes(0, sizeof(pthread_rwlockattr_t))),
    accesses("pthread_rwlockattr_set*", writes(0, sizeof(pthread_rwlockattr_t))),
    accesses("pthread_rwlockattr_get*", reads(0, sizeof(pthread_rwlockattr_t)), writes(1, sizeof(int))),
    accesses("pthread_barrierattr_init", writes(0, sizeof(pthread_barrierattr_t))),
    accesses("pthread_barrierattr_destroy", writes(0, sizeof(pthread_barrierattr_t))),
    accesses("pthread_barrierattr_setpshared", writes(0, sizeof(pthread_barrierattr_t))),
    accesses("pthread_barrierattr_getpshared", reads(0, sizeof(pthread_barrierattr_t)), writes(1, sizeof(int))),
    accesses("pthread_attr_init", writes(0, sizeof(pthread_attr_t))),
    accesses("pthread_attr_destroy", writes(0, sizeof(pthread_attr_t))),
    accesses("pthread_attr_setdetachstate", writes(0, sizeof(pthread_attr_t))),
    accesses("pthread_attr_getdetachstate", reads(0, sizeof(pthread_attr_t)), writes(1, sizeof(int))),
    accesses("pthread_attr_setstacksize", writes(0, sizeof(pthread_attr_t))),
    accesses("pthread_attr_getstacksize", reads(0, sizeof(pthread_attr_t)), writes(1, sizeof(std::size_t))),
    accesses("pthread_attr_setguardsize", writes(0, sizeof(pthread_attr_t))),
    accesses("pthread_attr_getguardsize", reads(0, sizeof(pthread_attr_t)), writes(1, sizeof(std::size_t))),
    accesses("pthread_attr_setscope", writes(0, sizeof(pthread_attr_t))),
    accesses("pthread_attr_getscope", reads(0, sizeof(pthread_attr_t)), writes(1, sizeof(int))),
    accesses("pthread_condattr_init", writes(0, sizeof(pthread_condattr_t))),
    accesses("pthread_condattr_destroy", writes(0, sizeof(pthread_condattr_t))),
    accesses("pthread_condattr_set*", writes(0, sizeof(pthread_condattr_t))),
    accesses("pthread_condattr_get*", reads(0, sizeof(pthread_condattr_t)), writes(1, sizeof(int))));

constexpr auto of_memory_resources = joined(
    // The default resource is global ([mem.res.global]): setting it synchronises with getting it later.
    turns(library_state::handlers, "_ZNSt3pmr20get_default_resourceEv",
          "_ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE"),
    nothing("_ZNSt3pmr19new_delete_resourceEv", "_ZNSt3pmr20null_memory_resourceEv"),
    accesses("_ZNSt3pmr15memory_resourceD*", writes(0, sizeof(std::pmr::memory_resource))),
    // A constant.
    nothing("_ZN3tbb6detail2r115cache_line_sizeEv"));

// The output goes to the stream that the iterator is of, the argument after `this`; its width becomes 0.
template <class... Symbols>
constexpr auto printing_numbers(Symbols... symbols) noexcept {
    return std::array{accesses(symbols, writes(1, sizeof(std::streambuf)), writes(3, of_stream))...};
}
// Reading a number: the iterators of the input are two integer arguments each, and the value and the error come last.
template <class... Ends>
constexpr auto reading_numbers(std::size_t size, Ends... symbols) noexcept {
    return std::array{accesses(symbols, writes(1, sizeof(std::streambuf)), writes(5, of_stream),
                               writes(6, sizeof(std::ios_base::iostate)), writes(7, size))...};
}
#define ORDEAL_NUMBER_OF(letter, call, type) \
    "_ZNKSt7num_getI" letter "St19istreambuf_iteratorI" letter "St11char_traitsI" letter "EEE" call \
    "ES3_S3_RSt8ios_baseRSt12_Ios_IostateR" type
#define ORDEAL_NUMBERS(type) \
    ORDEAL_NUMBER_OF("c", "3get", type), ORDEAL_NUMBER_OF("c", "6do_get", type), ORDEAL_NUMBER_OF("w", "3get", type), \
        ORDEAL_NUMBER_OF("w", "6do_get", type)

// The same with a broken-down time.
template <class... Symbols>
constexpr auto printing_times(std::size_t size_of_format, Symbols... symbols) noexcept {
    return std::array{accesses(symbols, writes(1, sizeof(std::streambuf)), writes(3, of_stream),
                               reads(5, sizeof(std::tm)), spanned(reads(6, size_of_format), 6, 7))...};
}
template <class... Symbols>
constexpr auto reading_times(Symbols... symbols) noexcept {
    return std::array{accesses(symbols, writes(1, sizeof(std::streambuf)), writes(5, of_stream),
                               writes(6, sizeof(std::ios_base::iostate)), writes(7, sizeof(std::tm)))...};
}
#define ORDEAL_TIME_PUT(letter, call) \
    "_ZNKSt8time_putI" letter "St19ostreambuf_iteratorI" letter "St11char_traitsI" letter "EEE" call \
    "ES3_RSt8ios_base" letter "PK2tm"
#define ORDEAL_TIME_GET(letter, call) \
    "_ZNKSt7__cxx118time_getI" letter "St19istreambuf_iteratorI" letter "St11char_traitsI" letter "EEE" call
#define ORDEAL_TIMES(letter) \
    ORDEAL_TIME_GET(letter, "3getE*"), ORDEAL_TIME_GET(letter, "6do_getE*"), \
        ORDEAL_TIME_GET(letter, "11do_get_timeE*"), ORDEAL_TIME_GET(letter, "11do_get_dateE*"), \
        ORDEAL_TIME_GET(letter, "14do_get_weekdayE*"), ORDEAL_TIME_GET(letter, "16do_get_monthnameE*"), \
        ORDEAL_TIME_GET(letter, "11do_get_yearE*")

// The input from the argument 2 to 3, the output to 5, and where each has ended.
template <class... Symbols>
constexpr auto converting(Symbols... symbols) noexcept {
    return std::array{accesses(symbols, writes(1, sizeof(std::mbstate_t)), spanned(reads(2, 1), 2, 3),
                               writes(4, of_pointer), spanned(writes(5, 1), 5, 6), writes(7, of_pointer))...};
}

// What code on trial calls by the tables of virtual functions of libstdc++'s own objects, too: facets of a locale, and
// the buffers of std::cout and its like. Buffers of other streams are compiled with the trial.
constexpr auto of_facets =
    joined(printing_numbers("_ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE3put*",
                            "_ZNKSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE6do_put*",
                            "_ZNKSt7num_putIwSt19ostreambuf_iteratorIwSt11char_traitsIwEEE3put*",
                            "_ZNKSt7num_putIwSt19ostreambuf_iteratorIwSt11char_traitsIwEEE6do_put*"),
           reading_numbers(sizeof(bool), ORDEAL_NUMBERS("b")), reading_numbers(sizeof(short), ORDEAL_NUMBERS("t")),
           reading_numbers(sizeof(int), ORDEAL_NUMBERS("j"), ORDEAL_NUMBERS("f")),
           reading_numbers(sizeof(long), ORDEAL_NUMBERS("l"), ORDEAL_NUMBERS("m"), ORDEAL_NUMBERS("x"),
                           ORDEAL_NUMBERS("y"), ORDEAL_NUMBERS("d"), ORDEAL_NUMBERS("Pv")),
           reading_numbers(sizeof(long double), ORDEAL_NUMBERS("e")),

           printing_times(0, ORDEAL_TIME_PUT("c", "3put") "cc", ORDEAL_TIME_PUT("c", "6do_put") "cc",
                          ORDEAL_TIME_PUT("w", "3put") "cc", ORDEAL_TIME_PUT("w", "6do_put") "cc"),
           printing_times(1, ORDEAL_TIME_PUT("c", "3put") "PKcSB_", ORDEAL_TIME_PUT("w", "3put") "PKwSB_"),
           reading_times(ORDEAL_TIMES("c"), ORDEAL_TIMES("w")),
           converting("_ZNKSt7codecvtIcc11__mbstate_tE5do_in*", "_ZNKSt7codecvtIcc11__mbstate_tE6do_out*",
                      "_ZNKSt7codecvtIwc11__mbstate_tE5do_in*", "_ZNKSt7codecvtIwc11__mbstate_tE6do_out*"),

           accesses("_ZNKSt5ctypeIcE10do_toupperEPcPKc", spanned(writes(1, 1), 1, 2)),
           accesses("_ZNKSt5ctypeIcE10do_tolowerEPcPKc", spanned(writes(1, 1), 1, 2)),
           accesses("_ZNKSt5ctypeIwE10do_toupperEPwPKw", spanned(writes(1, 1), 1, 2)),
           accesses("_ZNKSt5ctypeIwE10do_tolowerEPwPKw", spanned(writes(1, 1), 1, 2)),
           accesses("_ZNKSt5ctypeIcE8do_widenEPKcS2_Pc", spanned(reads(1, 1), 1, 2), spanned(writes(3, 1), 1, 2)),
           accesses("_ZNKSt5ctypeIwE8do_widenEPKcS2_Pw", spanned(reads(1, 1), 1, 2),
                    spanned(writes(3, sizeof(wchar_t)), 1, 2)),
           accesses("_ZNKSt5ctypeIcE9do_narrowEPKcS2_cPc", spanned(reads(1, 1), 1, 2), spanned(writes(4, 1), 1, 2)),
           accesses("_ZNKSt7__cxx117collateIcE10do_compareEPKcS3_S3_S3_", spanned(reads(1, 1), 1, 2),
                    spanned(reads(3, 1), 3, 4)),
           accesses("_ZNKSt7__cxx117collateIcE12do_transformEPKcS3_", spanned(reads(2, 1), 2, 3)),
           accesses("_ZNKSt7__cxx117collateIcE7do_hashEPKcS3_", spanned(reads(1, 1), 1, 2)),

           accesses("_ZN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEE6xsputnEPKcl", counted(reads(1, 1), 2)),
           accesses("_ZN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEE6xsgetnEPcl", counted(writes(1, 1), 2)),
           accesses("_ZN9__gnu_cxx18stdio_sync_filebufIwSt11char_traitsIwEE6xsputnEPKwl",
                    counted(reads(1, sizeof(wchar_t)), 2)),
           accesses("_ZN9__gnu_cxx18stdio_sync_filebufIwSt11char_traitsIwEE6xsgetnEPwl",
                    counted(writes(1, sizeof(wchar_t)), 2)));

constexpr auto tables_of_facets = std::array{"_ZTVSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE",
                                             "_ZTVSt7num_putIwSt19ostreambuf_iteratorIwSt11char_traitsIwEEE",
                                             "_ZTVSt7num_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE",
                                             "_ZTVSt7num_getIwSt19istreambuf_iteratorIwSt11char_traitsIwEEE",
                                             "_ZTVSt5ctypeIcE",
                                             "_ZTVSt5ctypeIwE",
                                             "_ZTVNSt7__cxx117collateIcEE",
                                             "_ZTVSt8time_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE",
                                             "_ZTVSt8time_putIwSt19ostreambuf_iteratorIwSt11char_traitsIwEEE",
                                             "_ZTVNSt7__cxx118time_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEEE",
                                             "_ZTVNSt7__cxx118time_getIwSt19istreambuf_iteratorIwSt11char_traitsIwEEEE",
                                             "_ZTVSt7codecvtIcc11__mbstate_tE",
                                             "_ZTVSt7codecvtIwc11__mbstate_tE",
                                             "_ZTVN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE",
                                             "_ZTVN9__gnu_cxx18stdio_sync_filebufIwSt11char_traitsIwEEE"};

constexpr auto of_streams = joined(
    // A locale is a pointer to constant data. Its reference count is libstdc++'s own and never observed.
    reading(library_state::locale, accesses("_ZNSt6localeC1Ev", writes(0, of_locale))),
    reading(library_state::locale, accesses("_ZNSt6localeC2Ev", writes(0, of_locale))),
    accesses("_ZNSt6localeC1ERKS_", writes(0, of_locale), reads(1, of_locale)),
    accesses("_ZNSt6localeC2ERKS_", writes(0, of_locale), reads(1, of_locale)),
    accesses("_ZNSt6localeD*", writes(0, of_locale)),
    accesses("_ZNSt6localeaSERKS_", writes(0, of_locale), reads(1, of_locale)), nothing("_ZNSt6locale7classicEv"),
    accesses("_ZNKSt6localeeqERKS_", reads(0, of_locale), reads(1, of_locale)),
    accesses("_ZNKSt6locale4name*", reads(1, of_locale)),  // the first is for the result
    nothing("_ZNKSt6locale2id5_M_idEv"),                   // assigned once, under a lock of libstdc++
    nothing("_ZNSt6locale5facetD*", "_ZNSt6locale5facet15_S_get_c_localeEv", "_ZNSt6locale5facet13_S_get_c_nameEv"),
    accesses("_ZSt9use_facet*", reads(0, of_locale)), accesses("_ZSt9has_facet*", reads(0, of_locale)),
    nothing("_ZNKSt5ctypeIcE*", "_ZSt13__check_facet*"),

    // The common base of streams; the rest of them is mostly compiled with the trial.
    accesses("_ZNSt8ios_baseC*", writes(0, of_stream)), accesses("_ZNSt8ios_baseD*", writes(0, of_stream)),
    reading(library_state::locale, accesses("_ZNSt8ios_base7_M_initEv", writes(0, of_stream))),
    accesses("_ZNSt8ios_base5imbueERKSt6locale", writes(0, of_locale), writes(1, of_stream), reads(2, of_locale)),
    accesses("_ZNSt8ios_base13_M_grow_wordsEib", writes(0, of_stream)),
    accesses("_ZNSt8ios_base17register_callbackEPFvNS_5eventERS_iEi", writes(0, of_stream)),
    accesses("_ZNSt8ios_base17_M_call_callbacksENS_5eventE", reads(0, of_stream)),
    accesses("_ZNSt8ios_base20_M_dispose_callbacksEv", writes(0, of_stream)),
    accesses("_ZNSt8ios_base7_M_moveERS_", writes(0, of_stream), writes(1, of_stream)),
    accesses("_ZNSt8ios_base7_M_swapERS_", writes(0, of_stream), writes(1, of_stream)),
    turns(library_state::handlers, "_ZNSt8ios_base6xallocEv"),
    nothing("_ZNSt8ios_base4Init*"),  // in each source file that includes <iostream>
    accesses("_ZNSt8ios_base7failureB5cxx11D*", writes(0, of_system_error)),
    accesses("_ZNKSt8ios_base7failureB5cxx114whatEv", reads(0, of_system_error)),

    // C streams and descriptors, without memory of the caller.
    turns(library_state::files, "ferror", "feof", "clearerr", "isatty", "fsync"),
    nothing("putchar"),  // output of the program is read by nobody on trial
    nothing("fileno", "_IO_putc"));

constexpr auto of_c = joined(
    // C library functions of values only.
    nothing("abs", "labs", "llabs", "div", "ldiv", "lldiv", "isalnum", "isalpha", "isblank", "iscntrl", "isdigit",
            "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "isxdigit", "tolower", "toupper", "isw*",
            "towlower", "towupper", "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc",
            "__ctype_get_mb_cur_max", "btowc", "wctob", "difftime", "htonl", "htons", "ntohl", "ntohs", "ffs", "ffsl",
            "ffsll", "getpagesize", "sysconf"),
    // The comparison function is on trial and instrumented.
    nothing("bsearch"));

constexpr auto of_mathematics = joined(
    // A second result is written to the caller's memory.
    accesses("frexp*", writes(0, sizeof(int))), accesses("modf", writes(0, sizeof(double))),
    accesses("modff", writes(0, sizeof(float))), accesses("modfl", writes(0, sizeof(long double))),
    accesses("remquo*", writes(0, sizeof(int))),
    accesses("sincos", writes(0, sizeof(double)), writes(1, sizeof(double))),
    accesses("sincosf", writes(0, sizeof(float)), writes(1, sizeof(float))),
    accesses("sincosl", writes(0, sizeof(long double)), writes(1, sizeof(long double))),
    nothing("acos*", "asin*", "atan*", "cbrt*", "ceil*", "copysign*", "cos", "cosf", "cosl", "cosh*", "erf*", "exp",
            "expf", "expl", "exp2*", "expm1*", "fabs*", "fdim*", "floor*", "fma", "fmaf", "fmal", "fmax*", "fmin*",
            "fmod*", "hypot*", "ilogb*", "ldexp*", "llrint*", "llround*", "log", "logf", "logl", "log10*", "log1p*",
            "log2*", "logb*", "lrint*", "lround*", "nearbyint*", "nextafter*", "nexttoward*", "pow", "powf", "powl",
            "remainder*", "rint*", "round*", "scalb*", "sin", "sinf", "sinl", "sinh*", "sqrt*", "tan", "tanf", "tanl",
            "tanh*", "tgamma*", "trunc", "truncf", "truncl", "__isnan*", "__isinf*", "__finite*", "__fpclassify*",
            "__signbit*"),

    // The floating-point environment belongs to the thread.
    nothing("fegetround", "fesetround", "feclearexcept", "fetestexcept", "feraiseexcept", "fegetexcept"),
    accesses("fegetenv", writes(0, of_environment)), accesses("feholdexcept", writes(0, of_environment)),
    accesses("fesetenv", reads(0, of_environment)), accesses("feupdateenv", reads(0, of_environment)),
    accesses("fegetexceptflag", writes(0, sizeof(std::fexcept_t))),
    accesses("fesetexceptflag", reads(0, sizeof(std::fexcept_t))));

constexpr auto all =
    joined(of_compiler, of_exceptions, of_threads, of_memory_resources, of_facets, of_streams, of_c, of_mathematics);

// "_ZSt20__throw_length_errorPKc" has a number that differs.
bool throws(std::string_view symbol) noexcept {
    return symbol.starts_with("_ZSt") && symbol.find("__throw_") != std::string_view::npos;
}

// Software arithmetic and floating-point conversions: "__udivti3", "__extendhfsf2", "__powidf2".
bool is_arithmetic(std::string_view symbol) noexcept {
    constexpr std::array<std::string_view, 25> all_operations{
        "udivmod", "divmod", "udiv",   "umod",  "div",      "mod",  "mul", "add",   "sub",
        "neg",     "eq",     "ne",     "lt",    "le",       "gt",   "ge",  "unord", "fix",
        "floatun", "float",  "extend", "trunc", "popcount", "powi", "cmp"};
    if (!symbol.starts_with("__") || symbol.empty()) return false;
    symbol.remove_prefix(2);
    const auto* const found =
        std::ranges::find_if(all_operations, [&](std::string_view each) { return symbol.starts_with(each); });
    if (found == all_operations.end()) return false;
    symbol.remove_prefix(found->size());
    if (symbol.starts_with("uns")) symbol.remove_prefix(3);
    while (!symbol.empty() && symbol.back() >= '2' && symbol.back() <= '4') symbol.remove_suffix(1);
    const auto is_mode = [](std::string_view each) {
        constexpr std::string_view widths = "qhsdtxb";
        return each.size() == 2 && widths.find(each[0]) != std::string_view::npos && (each[1] == 'i' || each[1] == 'f');
    };
    return is_mode(symbol) || (symbol.size() == 4 && is_mode(symbol.substr(0, 2)) && is_mode(symbol.substr(2)));
}

bool fits(std::string_view symbol, std::string_view pattern) noexcept {
    if (!pattern.ends_with('*')) return symbol == pattern;
    pattern.remove_suffix(1);
    return symbol.starts_with(pattern);
}

constexpr library_function without_objects{};

}  // namespace

const library_function* library_function_of(std::string_view symbol) noexcept {
    if (throws(symbol) || is_arithmetic(symbol)) return &without_objects;
    const auto found =
        std::ranges::find_if(all, [&](const library_function& each) { return fits(symbol, each.symbol); });
    return found == all.end() ? nullptr : &*found;
}

std::span<const char* const> tables_of_virtual_functions() noexcept { return tables_of_facets; }

std::span<const library_function> library_functions() noexcept { return all; }

bool changes_memory_alone(std::string_view symbol) noexcept {
    constexpr std::array<std::string_view, 8> of_standard_library{"_ZNSt",  "_ZNKSt", "_ZSt",   "_ZNSo",
                                                                  "_ZNKSo", "_ZNSi",  "_ZNKSi", "_ZNSd"};
    constexpr std::array<std::string_view, 6> of_process{"fstream",    "filebuf",         "basic_file",
                                                         "filesystem", "sync_with_stdio", "locale6global"};
    const auto in_symbol = [&](std::string_view each) { return symbol.find(each) != std::string_view::npos; };
    return std::ranges::any_of(of_standard_library, [&](std::string_view each) { return symbol.starts_with(each); }) &&
           std::ranges::none_of(of_process, in_symbol);
}

}  // namespace ordeal::detail
