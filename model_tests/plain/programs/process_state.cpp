// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the process has besides its memory (ordeal/instrumented/process_state/process_state.hpp): each execution begins with it as the first one
// did, has what it has set itself, whether it goes on from a copy of another or not, and leaves it as it pleases.
#include "model_tests/plain/programs/programs.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cfenv>
#include <climits>
#include <clocale>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <locale>
#include <memory_resource>
#include <new>
#include <string>
#include <thread>

namespace ordeal::model_tests {

namespace {

// Some hundred executions, most of which go on from copies.
template <class State>
struct set_before_threads {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        State state;
        state.begin();
        std::atomic<int> x{0};
        std::atomic<int> y{0};
        std::thread first([&] {
            x.store(1);
            (void)y.load();
            x.store(2);
            (void)y.load();
        });
        std::thread second([&] {
            y.store(5);
            (void)x.load();
            y.store(6);
        });
        y.store(1);
        (void)x.load();
        (void)x.load();
        first.join();
        second.join();
        state.end();
    }
};

struct floating_point {
    static void begin() {
        require(std::fegetround() == FE_TONEAREST && std::fetestexcept(FE_ALL_EXCEPT) == 0);
        require(std::fesetround(FE_DOWNWARD) == 0 && std::feraiseexcept(FE_DIVBYZERO) == 0);
        volatile long double third = 1;
        third = third / 3;
    }
    static void end() {
        require(std::fegetround() == FE_DOWNWARD);
        require(std::fetestexcept(FE_ALL_EXCEPT) == (FE_DIVBYZERO | FE_INEXACT));
    }
};

struct signal_mask {
    static bool blocks() {
        sigset_t now;
        return ::pthread_sigmask(SIG_BLOCK, nullptr, &now) == 0 && ::sigismember(&now, SIGUSR1) == 1;
    }
    static void begin() {
        require(!blocks());
        sigset_t one;
        require(::sigemptyset(&one) == 0 && ::sigaddset(&one, SIGUSR1) == 0);
        require(::pthread_sigmask(SIG_BLOCK, &one, nullptr) == 0);
    }
    static void end() { require(blocks()); }
};

struct error_number {
    static void begin() {
        require(errno == 0);
        errno = EDOM;
    }
    static void end() { require(errno == EDOM); }
};

struct exceptions {
    static void begin() {
        require(std::uncaught_exceptions() == 0 && std::current_exception() == nullptr);
        try {
            throw 1;
        } catch (int) {
            require(std::current_exception() != nullptr);
        }
    }
    static void end() { require(std::uncaught_exceptions() == 0 && std::current_exception() == nullptr); }
};

struct random_numbers {
    int first = 0;

    void begin() {
        std::srand(7);
        first = std::rand();
    }
    void end() const {
        const int second = std::rand();
        std::srand(7);
        require(std::rand() == first && std::rand() == second);
    }
};

struct clocks {
    std::time_t first = 0;

    void begin() { first = std::time(nullptr); }
    void end() const { require(std::time(nullptr) >= first); }
};

struct keys {
    pthread_key_t key{};

    void begin() {
        require(::pthread_key_create(&key, nullptr) == 0);
        require(::pthread_setspecific(key, this) == 0);
    }
    void end() const { require(::pthread_getspecific(key) == this && ::pthread_key_delete(key) == 0); }
};

struct streams {
    static void begin() {
        require((std::cout.flags() & std::ios::hex) == 0 && std::cerr.precision() == 6 && std::clog.fill() == ' ');
        require(std::cin.good() && std::wcout.width() == 0);
        std::cout.setf(std::ios::hex, std::ios::basefield);
        std::cerr.precision(3);
        std::clog.fill('x');
        std::cin.setstate(std::ios::failbit);
        std::wcout.width(9);
    }
    static void end() {
        require((std::cout.flags() & std::ios::hex) != 0 && std::cerr.precision() == 3 && std::clog.fill() == 'x');
        require(std::cin.fail() && std::wcout.width() == 9);
    }
};

struct handlers {
    std::terminate_handler before = nullptr;

    static void other() { std::abort(); }
    void begin() {
        before = std::set_terminate(&other);
        require(before != &other && std::get_new_handler() == nullptr);
        std::set_new_handler(&other);
    }
    void end() const { require(std::get_terminate() == &other && std::get_new_handler() == &other); }
};

struct default_resource {
    static void begin() {
        require(std::pmr::get_default_resource() == std::pmr::new_delete_resource());
        std::pmr::set_default_resource(std::pmr::null_memory_resource());
    }
    static void end() { require(std::pmr::get_default_resource() == std::pmr::null_memory_resource()); }
};

struct pools {
    std::pmr::synchronized_pool_resource pool;
    void* block = nullptr;

    void begin() { block = pool.allocate(24); }
    void end() { pool.deallocate(block, 24); }
};

int calls_at_exit = 0;
struct at_exit {
    static void begin() {
        require(calls_at_exit == 0);
        require(std::atexit([] { ++calls_at_exit; }) == 0);
    }
    static void end() { require(calls_at_exit == 0); }
};

struct tokens {
    std::array<char, 4> text{"a b"};

    void begin() { require(std::strtok(text.data(), " ") == text.data()); }
    void end() { require(std::strtok(nullptr, " ") == text.data() + 2); }
};

struct environment {
    static void begin() {
        require(std::getenv("ORDEAL_STATE") == nullptr);
        require(::setenv("ORDEAL_STATE", "set", 1) == 0);
    }
    static void end() { require(std::getenv("ORDEAL_STATE") != nullptr); }
};

struct locale {
    static void begin() {
        require(std::strcmp(std::setlocale(LC_ALL, nullptr), "C") == 0);
        require(std::setlocale(LC_ALL, "C.UTF-8") != nullptr);
    }
    static void end() { require(std::strcmp(std::setlocale(LC_ALL, nullptr), "C.UTF-8") == 0); }
};

struct options {
    std::array<char, 2> program{"p"};
    std::array<char, 4> two{"-xy"};
    std::array<char*, 3> arguments{program.data(), two.data(), nullptr};

    void begin() {
        require(optind == 1);
        require(::getopt(2, arguments.data(), "xyz") == 'x');
    }
    void end() { require(::getopt(2, arguments.data(), "xyz") == 'y' && optind == 2); }
};

struct descriptors {
    int file = -1;
    int other = -1;

    void begin() {
        file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
        char byte = 0;
        require(file >= 0 && ::read(file, &byte, 1) == 1);
        other = ::dup(file);
        // Others have left theirs open.
        require(other > file && other < 64 && ::close(STDIN_FILENO) == 0);
    }
    void end() const {
        require(::lseek(file, 0, SEEK_CUR) == 1 && ::dup(file) == STDIN_FILENO);
        require(::close(file) == 0);
    }
};

struct c_streams {
    std::FILE* file = nullptr;

    void begin() {
        file = std::fopen("/proc/self/exe", "r");
        require(file != nullptr && std::fgetc(file) == 0x7f && std::ungetc('x', file) == 'x');
    }
    void end() const { require(std::fgetc(file) == 'x' && std::fgetc(file) == 'E'); }
};

struct directory {
    static bool is_root() {
        std::array<char, PATH_MAX> name{};
        return ::getcwd(name.data(), name.size()) != nullptr && std::strcmp(name.data(), "/") == 0;
    }
    static void begin() { require(!is_root() && ::chdir("/") == 0); }
    static void end() { require(is_root()); }
};

struct mask_of_files {
    static constexpr mode_t own = 0123;
    static void begin() { require(::umask(own) != own); }
    static void end() { require(::umask(own) == own); }
};

// Other programs of these tests run beside this one.
const std::string& own_prefix = *new std::string("/tmp/ordeal-" + std::to_string(::getpid()) + "-");

// Created, appended to and moved; a folder with a file in it. All of it stays behind.
struct files {
    std::string left = own_prefix + "left";
    std::string folder = own_prefix + "folder";

    void begin() const {
        std::ifstream binary("/proc/self/exe");
        require(binary.get() == 0x7f);
        std::ofstream(left, std::ios::app) << 'x';
        std::string content;
        std::ifstream(left) >> content;
        require(content == "x", "an earlier execution has left its file");
        require(::mkdir(folder.c_str(), 0700) == 0, "an earlier execution has left its folder");
        std::ofstream(folder + "/inner") << 1;
        struct stat about{};
        require(::stat(left.c_str(), &about) == 0 && about.st_mtime <= std::time(nullptr));
    }
    void end() const {
        require(std::rename(left.c_str(), (folder + "/moved").c_str()) == 0);
        require(::access(left.c_str(), F_OK) != 0);
    }
};

// Few, as each waits for a disk.
template <class State>
struct in_two_executions {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        const State state;
        state.begin();
        std::atomic<int> count{0};
        std::thread other([&] { count.fetch_add(1); });
        count.fetch_add(1);
        other.join();
        state.end();
    }
};

// Whether a file is there depends on which thread came first.
struct file_of_another {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        const std::string name = own_prefix + "of_another";
        std::thread other([&] { std::ofstream(name.c_str()) << 1; });
        const bool there = ::access(name.c_str(), F_OK) == 0;
        other.join();
        require(!there, "the other was first");
    }
};

struct resources {
    static void begin() { require(::sysconf(_SC_OPEN_MAX) > 0 && ::nice(0) != 100); }
    static void end() {}
};

// A thread begins with what its creator has, and keeps its own.
struct floating_point_is_handed_on {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        require(std::fesetround(FE_UPWARD) == 0);
        std::thread created([] {
            require(std::fegetround() == FE_UPWARD);
            require(std::fesetround(FE_DOWNWARD) == 0 && std::feraiseexcept(FE_OVERFLOW) == 0);
        });
        created.join();
        require(std::fegetround() == FE_UPWARD && std::fetestexcept(FE_OVERFLOW) == 0);
    }
};

// Each iteration raises another exception, so that none comes back to where it was.
struct exceptions_in_iterations {
    static constexpr auto threads = only_main;

    static int next_iteration() {
        constexpr std::array all{FE_INVALID, FE_DIVBYZERO, FE_OVERFLOW};
        int iteration = 0;
        for (const int each : all) {
            ++iteration;
            if (std::fetestexcept(each) != 0) continue;
            std::feraiseexcept(each);
            return iteration;
        }
        return iteration;
    }
    static void run(int /*thread*/) {
        std::atomic<int> x{0};
        std::thread other([&] {
            x.store(1, relaxed);
            x.store(2, relaxed);
        });
        int iterations = 0;
        int seen = x.load(relaxed);
        do {
            iterations = next_iteration();
        } while (!x.compare_exchange_strong(seen, 7, relaxed, relaxed));
        other.join();
        require(iterations != 3, "three iterations are possible");
    }
};

// Two that begin with the same function, and not alike.
struct created_with_other_rounding {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        std::atomic<int> seen{-1};
        std::atomic<int> written{0};
        const auto body = [&] {
            if (std::fegetround() == FE_UPWARD) {
                seen.store(written.load(relaxed), relaxed);
            } else {
                written.store(1, relaxed);
            }
        };
        std::thread first(body);
        require(std::fesetround(FE_UPWARD) == 0);
        std::thread second(body);
        first.join();
        second.join();
        require(seen.load(relaxed) != 0, "the second may come first");
    }
};

// In any order.
struct handler_set_by_another {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        std::thread other([] { std::set_new_handler([] { std::abort(); }); });
        const std::new_handler seen = std::get_new_handler();
        other.join();
        require(seen == nullptr);
    }
};
struct descriptor_closed_by_both {
    static constexpr auto threads = only_main;

    static void run(int /*thread*/) {
        const int file = ::dup(STDOUT_FILENO);
        std::thread other([&] { (void)::close(file); });
        const int mine = ::close(file);
        other.join();
        require(mine == 0, "the other may have closed it");
    }
};

// Opened before the search, and closed in each execution.
std::ifstream& file_of_all = *new std::ifstream("/proc/self/exe");
struct file_of_a_global {
    static void begin() { require(file_of_all.get() == 0x7f && file_of_all.get() == 'E'); }
    static void end() {
        require(file_of_all.get() == 'L');
        file_of_all.close();
        require(file_of_all.good());
    }
};

// What the kernel writes is no fault of a page that is watched, but an error of the call.
std::array<char, std::size_t{8} * 4096> bytes_of_file;
std::array<char, std::size_t{2} * 4096> name_of_folder;
std::array<struct stat, 64> facts_of_file;
struct written_by_the_kernel {
    static void begin() {
        const int file = ::open("/proc/self/exe", O_RDONLY);
        require(::read(file, &bytes_of_file[4090], 8192) == 8192 && bytes_of_file[4090] == 0x7f);
        require(::pread(file, &bytes_of_file[16380], 8192, 0) == 8192 && bytes_of_file[16380] == 0x7f);
        require(::fstat(file, &facts_of_file[40]) == 0 && facts_of_file[40].st_size > 0);
        require(::getcwd(&name_of_folder[4000], 4096) != nullptr && name_of_folder[4000] == '/');
        require(::close(file) == 0);
    }
    static void end() { require(bytes_of_file[16380] == 0x7f); }
};

template <class Program>
using fails = wrong<Program, violation_kind::failed_requirement>;

ORDEAL_SCENARIO("programs/state_floating_point", set_before_threads<floating_point>);
ORDEAL_SCENARIO("programs/state_signal_mask", set_before_threads<signal_mask>);
ORDEAL_SCENARIO("programs/state_errno", set_before_threads<error_number>);
ORDEAL_SCENARIO("programs/state_exceptions", set_before_threads<exceptions>);
ORDEAL_SCENARIO("programs/state_random", set_before_threads<random_numbers>);
ORDEAL_SCENARIO("programs/state_clocks", set_before_threads<clocks>);
ORDEAL_SCENARIO("programs/state_keys", set_before_threads<keys>);
ORDEAL_SCENARIO("programs/state_streams", set_before_threads<streams>);
ORDEAL_SCENARIO("programs/state_handlers", set_before_threads<handlers>);
ORDEAL_SCENARIO("programs/state_default_resource", set_before_threads<default_resource>);
ORDEAL_SCENARIO("programs/state_pools", set_before_threads<pools>);
ORDEAL_SCENARIO("programs/state_at_exit", set_before_threads<at_exit>);
ORDEAL_SCENARIO("programs/state_strtok", set_before_threads<tokens>);
ORDEAL_SCENARIO("programs/state_environment", set_before_threads<environment>);
ORDEAL_SCENARIO("programs/state_locale", set_before_threads<locale>);
ORDEAL_SCENARIO("programs/state_options", set_before_threads<options>);
ORDEAL_SCENARIO("programs/state_descriptors", set_before_threads<descriptors>);
ORDEAL_SCENARIO("programs/state_c_streams", set_before_threads<c_streams>);
ORDEAL_SCENARIO("programs/state_directory", set_before_threads<directory>);
ORDEAL_SCENARIO("programs/state_mask_of_files", set_before_threads<mask_of_files>);
ORDEAL_SCENARIO("programs/state_files", in_two_executions<files>);
ORDEAL_SCENARIO("programs/state_resources", set_before_threads<resources>);
ORDEAL_SCENARIO("programs/file_of_a_global", set_before_threads<file_of_a_global>);
ORDEAL_SCENARIO("programs/written_by_the_kernel", set_before_threads<written_by_the_kernel>);
ORDEAL_SCENARIO("programs/floating_point_is_handed_on", met<floating_point_is_handed_on>);
ORDEAL_SCENARIO("programs/floating_point_in_turns", fails<exceptions_in_iterations>);
ORDEAL_SCENARIO("programs/floating_point_tells_threads_apart", fails<created_with_other_rounding>);
ORDEAL_SCENARIO("programs/handler_set_by_another", fails<handler_set_by_another>);
ORDEAL_SCENARIO("programs/file_of_another", fails<file_of_another>);
ORDEAL_SCENARIO("programs/descriptor_closed_by_both", fails<descriptor_closed_by_both>);

}  // namespace

}  // namespace ordeal::model_tests
