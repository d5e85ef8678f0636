// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the model does not have: searches that come to it say so, by name and place.
#include "model_tests/plain/programs/programs.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#ifdef __clang__
#pragma clang diagnostic ignored "-Watomic-alignment"  // that not every processor has them
#endif

extern "C" void __pthread_register_cancel(void* buffer);  // NOLINT(bugprone-reserved-identifier)

namespace ordeal::model_tests {

namespace {

constexpr std::size_t page = 4096;
constexpr int usual = MAP_PRIVATE | MAP_ANONYMOUS;

void* map(std::size_t size, int protection, int flags) { return ::mmap(nullptr, size, protection, flags, -1, 0); }
void* map_two_pages() { return map(2 * page, PROT_READ | PROT_WRITE, usual); }

struct post_to_a_full_semaphore {
    static void run() {
        sem_t full;
        sem_init(&full, 0, SEM_VALUE_MAX);
        sem_post(&full);
    }
};
struct exit_of_a_thread_that_is_joined {
    static void run() {
        static pthread_t main;
        main = pthread_self();
        std::thread([] { pthread_join(main, nullptr); }).detach();
        pthread_exit(nullptr);
    }
};
// As pthread_cleanup_push does it in C.
struct exit_with_a_handler_of_c {
    static void run() {
        std::thread([] {
            std::array<std::uintptr_t, 32> buffer{};
            __pthread_register_cancel(buffer.data());
            pthread_exit(nullptr);
        }).join();
    }
};
struct robust_mutex {
    static void run() {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
        pthread_mutex_t mutex;
        pthread_mutex_init(&mutex, &attributes);
    }
};

// Atomic operations on what is no atomic.
template <class Part>
struct atomic_on_a_mutex {
    static void run() {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        (void)__atomic_load_n(reinterpret_cast<Part*>(&mutex), __ATOMIC_SEQ_CST);
    }
    static inline pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
};
// The rest is still in use by another thread where all of it becomes an atomic again.
struct part_of_atomic_written {
    struct alignas(8) halves {
        std::uint32_t a = 0;
        std::uint32_t b = 0;
    };
    static void run() {
        static halves both;
        both = {};
        (void)std::atomic_ref(both).load();
        std::thread other([] { std::atomic_ref(both.a).store(2); });
        std::atomic_ref(both.a).store(1);
        both.b = 5;
        require(std::atomic_ref(both.b).load() == 5);
        other.join();
    }
};
struct atomic_in_a_semaphore {
    static void run() {
        std::thread other(
            [] { (void)__atomic_load_n(reinterpret_cast<std::uint16_t*>(&semaphore), __ATOMIC_SEQ_CST); });
        semaphore.release();
        semaphore.acquire();
        other.join();
    }
    static inline std::binary_semaphore semaphore{0};
};

struct words_of_16_bytes {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
};
alignas(16) std::array<std::byte, 32> bytes;
template <std::size_t Size>
struct atomic_of_size {
    static void run() {
        std::atomic<std::array<char, Size>> object{};
        object.store({'a'});
        require(object.load()[0] == 'a');
    }
};
struct misaligned_wide_atomic {
    static void run() {
        words_of_16_bytes value;
        __atomic_load(reinterpret_cast<words_of_16_bytes*>(&bytes[8]), &value, __ATOMIC_SEQ_CST);
        require(value.first == 0);
    }
};

struct without_access {
    static void run() { require(map(page, PROT_NONE, usual) != nullptr); }
};
struct at_a_place {
    static void run() {
        require(::mmap(reinterpret_cast<void*>(16 * page), page, PROT_READ | PROT_WRITE, usual | MAP_FIXED, -1, 0) !=
                nullptr);
    }
};
struct too_large {
    static void run() { require(map(std::size_t{1} << 30, PROT_READ | PROT_WRITE, usual) != nullptr); }
};
struct in_part {
    static void run() { ::munmap(map_two_pages(), page); }
};
struct protected_later {
    static void run() { ::mprotect(map_two_pages(), page, PROT_NONE); }
};
struct made_larger {
    static void run() { require(::mremap(map_two_pages(), 2 * page, 4 * page, MREMAP_MAYMOVE) != nullptr); }
};
struct given_back {
    static void run() { ::madvise(map_two_pages(), page, MADV_DONTNEED); }
};
struct end_of_data {
    static void run() { require(::sbrk(16) != nullptr); }
};

struct listed {
    static void run() { require(std::filesystem::directory_iterator("/") != std::filesystem::directory_iterator()); }
};
struct listed_all {
    static void run() { std::filesystem::recursive_directory_iterator("/").pop(); }
};

// The C library allocates the path itself, at another address in each execution.
struct atomic_of_a_library {
    static void run() {
        char* const root = ::realpath("/", nullptr);
        std::atomic_ref(*root).fetch_add(1);
        std::free(root);
    }
};

// Each has something to read, so that it would not wait, were it not refused.
struct from_a_pipe {
    static void run() {
        int ends[2];
        char byte = 1;
        require(::pipe(ends) == 0 && ::write(ends[1], &byte, 1) == 1);
        require(::read(ends[0], &byte, 1) == 1);
    }
};
struct from_a_stream {
    static void run() {
        int ends[2];
        const char line[] = "text\n";
        require(::pipe(ends) == 0 && ::write(ends[1], line, sizeof line) > 0);
        std::FILE* const stream = ::fdopen(ends[0], "r");
        require(std::fgetc(stream) == 't');
    }
};
struct from_a_socket {
    static void run() {
        int ends[2];
        char byte = 1;
        require(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && ::write(ends[1], &byte, 1) == 1);
        require(::recv(ends[0], &byte, 1, 0) == 1);
    }
};
struct event_counter {
    static void run() {
        const int file = ::eventfd(1, 0);
        eventfd_t value = 0;
        require(::read(file, &value, sizeof value) == sizeof value);
    }
};

// What there is to read comes through the program's own input, by each of those who read it.
template <int (*Read)()>
struct from_the_input {
    static void run() {
        int ends[2];
        const char line[] = "7 text\n";
        require(::pipe(ends) == 0 && ::write(ends[1], line, sizeof line - 1) > 0);
        require(::dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
        require(Read() == 7);
    }
};
int by_a_stream() {
    int value = 0;
    std::cin >> value;
    return value;
}
int by_a_stream_of_its_own() {
    std::ifstream file("/proc/self/fd/0");
    int value = 0;
    file >> value;
    return value;
}
int by_lines() {
    std::string line;
    std::getline(std::cin, line);
    return line[0] - '0';
}
int by_characters() { return std::getchar() - '0'; }
int by_characters_without_a_lock() { return ::getchar_unlocked() - '0'; }
int by_fgets() {
    char line[8];
    require(std::fgets(line, sizeof line, stdin) == line);
    return line[0] - '0';
}
int by_scanf() {
    int value = 0;
    require(std::scanf("%d", &value) == 1);  // NOLINT(cert-err34-c)
    return value;
}
int by_number() {
    char byte = 0;
    require(::syscall(SYS_read, STDIN_FILENO, &byte, 1) == 1);
    return byte - '0';
}

// Nobody reads what would make room. They would fail instead of waiting, were they not refused.
template <int (*Write)(int)>
struct to_a_full_pipe {
    static void run() {
        int ends[2];
        require(::pipe(ends) == 0);
        require(::fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
        const std::vector<char> bytes(::fcntl(ends[1], F_GETPIPE_SZ));
        for (std::size_t left = bytes.size(); left != 0;) left -= ::write(ends[1], bytes.data(), std::min(left, page));
        require(Write(ends[1]) == 1);
    }
};
int writes_a_byte(int file) { return static_cast<int>(::write(file, "x", 1)); }
int writes_by_number(int file) { return static_cast<int>(::syscall(SYS_write, file, "x", 1)); }
int writes_by_a_stream(int file) {
    std::FILE* const stream = ::fdopen(file, "w");
    return std::fputs("x", stream) >= 0 && std::fflush(stream) == 0 ? 1 : 0;
}
struct more_than_a_pipe_takes {
    static void run() {
        int ends[2];
        const std::vector<char> bytes(std::size_t{1} << 20);
        require(::pipe(ends) == 0 && ::fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
        require(::write(ends[1], bytes.data(), bytes.size()) > 0);
    }
};

// These wait for nobody.
struct to_who_has_room {
    static void run() {
        int ends[2];
        require(::pipe(ends) == 0 && ::write(ends[1], "text", 4) == 4);
        require(::write(STDOUT_FILENO, "text", 4) == 4);
    }
};
struct from_files {
    static void run() {
        for (const char* const name : {"/proc/self/exe", "/dev/zero", "/dev/null"}) {
            const int file = ::open(name, O_RDONLY | O_CLOEXEC);
            char byte = 1;
            require(file >= 0 && ::read(file, &byte, 1) >= 0);
            ::close(file);
        }
        char byte = 1;
        require(::read(-1, &byte, 1) == -1 && errno == EBADF);
    }
};

// What the process has besides its memory, where it is not the code on trial's own.
struct others_descriptors {
    static void run() {
        for (int file = STDERR_FILENO + 1; file < 64; ++file) (void)::close(file);
    }
};
struct signal_handlers {
    static void run() { require(std::raise(SIGUSR1) == 0); }
};
struct folder_that_is_moved {
    static void run() { require(std::rename("/proc", "/proc/moved") != 0); }
};
struct lock_of_another {
    static void run() {
        const int mine = ::open("/tmp/ordeal-lock", O_CREAT | O_RDWR, 0600);
        const int others = ::open("/tmp/ordeal-lock", O_CREAT | O_RDWR, 0600);
        require(::flock(others, LOCK_EX) == 0 && ::flock(mine, LOCK_EX) == 0);
    }
};
struct timer_of_the_kernel {
    static void run() { require(::timerfd_create(CLOCK_MONOTONIC, 0) >= 0); }
};
struct becomes_another_program {
    static void run() {
        std::array<char, 10> name{"/bin/true"};
        std::array<char*, 2> arguments{name.data(), nullptr};
        require(::fexecve(::open(name.data(), O_RDONLY), arguments.data(), environ) != 0);
    }
};
struct processes {
    static void run() { require(std::system("true") == 0); }
};
struct locale_of_thread {
    static void run() { require(::uselocale(nullptr) != nullptr); }
};

template <class What>
struct does {
    static constexpr auto threads = only_main;

    void run(int /*thread*/) { What::run(); }
};

ORDEAL_SCENARIO("refused/atomic_on_a_mutex", does<atomic_on_a_mutex<std::uint32_t>>);
ORDEAL_SCENARIO("refused/atomic_on_more_of_a_mutex", does<atomic_on_a_mutex<std::uint64_t>>);
ORDEAL_SCENARIO("refused/part_of_atomic_written", does<part_of_atomic_written>);
ORDEAL_SCENARIO("refused/atomic_in_a_semaphore", does<atomic_in_a_semaphore>);
ORDEAL_SCENARIO("refused/misaligned_wide_atomic", does<misaligned_wide_atomic>);
ORDEAL_SCENARIO("refused/atomic_of_3_bytes", does<atomic_of_size<3>>);
ORDEAL_SCENARIO("refused/atomic_of_32_bytes", does<atomic_of_size<32>>);
ORDEAL_SCENARIO("refused/mmap_without_access", does<without_access>);
ORDEAL_SCENARIO("refused/mmap_at_a_place", does<at_a_place>);
ORDEAL_SCENARIO("refused/mmap_too_large", does<too_large>);
ORDEAL_SCENARIO("refused/post_to_a_full_semaphore", does<post_to_a_full_semaphore>);
ORDEAL_SCENARIO("refused/robust_mutex", does<robust_mutex>);
ORDEAL_SCENARIO("refused/munmap_in_part", does<in_part>);
ORDEAL_SCENARIO("refused/mprotect", does<protected_later>);
ORDEAL_SCENARIO("refused/mremap", does<made_larger>);
ORDEAL_SCENARIO("refused/madvise", does<given_back>);
ORDEAL_SCENARIO("refused/sbrk", does<end_of_data>);
ORDEAL_SCENARIO("refused/atomic_of_a_library", does<atomic_of_a_library>);
ORDEAL_SCENARIO("refused/directory", does<listed>);
ORDEAL_SCENARIO("refused/read_of_a_pipe", does<from_a_pipe>);
ORDEAL_SCENARIO("refused/read_of_a_stream", does<from_a_stream>);
ORDEAL_SCENARIO("refused/read_of_a_socket", does<from_a_socket>);
ORDEAL_SCENARIO("refused/cin", does<from_the_input<&by_a_stream>>);
ORDEAL_SCENARIO("refused/ifstream_of_a_pipe", does<from_the_input<&by_a_stream_of_its_own>>);
ORDEAL_SCENARIO("refused/getline_of_cin", does<from_the_input<&by_lines>>);
ORDEAL_SCENARIO("refused/exit_of_a_thread_that_is_joined", does<exit_of_a_thread_that_is_joined>);
ORDEAL_SCENARIO("refused/exit_with_a_handler_of_c", does<exit_with_a_handler_of_c>);
ORDEAL_SCENARIO("refused/getchar", does<from_the_input<&by_characters>>);
ORDEAL_SCENARIO("refused/getchar_unlocked", does<from_the_input<&by_characters_without_a_lock>>);
ORDEAL_SCENARIO("refused/fgets", does<from_the_input<&by_fgets>>);
ORDEAL_SCENARIO("refused/scanf", does<from_the_input<&by_scanf>>);
ORDEAL_SCENARIO("refused/read_by_number", does<from_the_input<&by_number>>);
ORDEAL_SCENARIO("refused/write_to_a_full_pipe", does<to_a_full_pipe<&writes_a_byte>>);
ORDEAL_SCENARIO("refused/write_to_a_full_pipe_by_number", does<to_a_full_pipe<&writes_by_number>>);
ORDEAL_SCENARIO("refused/write_to_a_full_pipe_by_a_stream", does<to_a_full_pipe<&writes_by_a_stream>>);
ORDEAL_SCENARIO("refused/write_of_more_than_a_pipe_takes", does<more_than_a_pipe_takes>);
ORDEAL_SCENARIO("allowed/write_where_there_is_room", does<to_who_has_room>);
ORDEAL_SCENARIO("refused/read_of_an_event_counter", does<event_counter>);
ORDEAL_SCENARIO("allowed/read_of_files", does<from_files>);
ORDEAL_SCENARIO("refused/directories", does<listed_all>);
ORDEAL_SCENARIO("refused/rename_of_a_folder", does<folder_that_is_moved>);
ORDEAL_SCENARIO("refused/flock_that_waits", does<lock_of_another>);
ORDEAL_SCENARIO("refused/timerfd", does<timer_of_the_kernel>);
ORDEAL_SCENARIO("refused/fexecve", does<becomes_another_program>);
ORDEAL_SCENARIO("refused/state_others_descriptors", does<others_descriptors>);
ORDEAL_SCENARIO("refused/state_signal_handlers", does<signal_handlers>);
ORDEAL_SCENARIO("refused/state_processes", does<processes>);
ORDEAL_SCENARIO("refused/state_locale_of_thread", does<locale_of_thread>);

}  // namespace

}  // namespace ordeal::model_tests
