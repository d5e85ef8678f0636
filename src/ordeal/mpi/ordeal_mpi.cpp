// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mpirun -n 4 ordeal-mpi check PATTERN...
// mpirun -n 4 ordeal-mpi ./my_trials check PATTERN...
//
// Runs the program on rank 0 and assigns it worker processes of itself on all ranks: the program knows nothing of MPI,
// and this one nothing of searches.
#include "ordeal/mpi/coordinator.hpp"
#include "ordeal/mpi/transport.hpp"
#include "ordeal/mpi/worker_host.hpp"

#include <mpi.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace {

using namespace ordeal::mpi;

constexpr unsigned idle_microseconds = 200;

// Commands of the program `ordeal`; anything else is the name of another program.
constexpr std::array commands{"list",   "check", "merge", "audit", "replay",
                              "stress", "new",   "help",  "man",   "completion"};

std::vector<std::string> command_of(int argc, char** argv) {
    std::vector<std::string> result(argv + 1, argv + argc);
    bool of_ordeal = result.front().starts_with('-');
    for (const std::string_view each : commands) of_ordeal |= result.front() == each;
    if (!of_ordeal) return result;
    const std::filesystem::path beside = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "ordeal";
    result.insert(result.begin(), std::filesystem::exists(beside) ? beside.string() : "ordeal");
    return result;
}

constexpr const char* rank_timeout_variable = "ORDEAL_MPI_PATIENCE";

// In seconds; nothing if the variable has an invalid value. Each rank sends a heartbeat once a second.
std::optional<double> given_rank_timeout() {
    constexpr double least = 2;
    constexpr double most = 86'400;
    const char* const text = std::getenv(rank_timeout_variable);
    if (text == nullptr) return 30;
    double seconds = 0;
    const char* const end = text + std::strlen(text);
    const auto [stopped, error] = std::from_chars(text, end, seconds);
    if (error != std::errc() || stopped != end || !(seconds >= least && seconds <= most)) return std::nullopt;
    return seconds;
}

std::chrono::steady_clock::duration rank_timeout() {
    return std::chrono::milliseconds(static_cast<long>(given_rank_timeout().value_or(30) * 1000));
}

pid_t program = -1;
void pass_on(int signal) {
    if (program > 0) kill(program, signal);
}

pid_t started(const std::vector<std::string>& command, const std::string& workers) {
    std::vector<char*> arguments;
    for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
    arguments.push_back(nullptr);
    const pid_t result = fork();
    if (result != 0) return result;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setenv("ORDEAL_WORKERS", workers.c_str(), 1);
    execvp(arguments[0], arguments.data());
    std::fprintf(stderr, "ordeal-mpi: cannot run %s\n", arguments[0]);
    _exit(2);
}

int exit_code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 4; }

void send_all(transport& channel) {
    while (channel.has_in_flight()) {
        channel.collect_completed();
        usleep(idle_microseconds);
    }
}

// MPI can end only when no message is in flight. Returns whether some rank was lost.
bool shut_down(transport& channel, bool lost_any) {
    for (int rank = 1; rank < channel.ranks(); ++rank) channel.send(rank, message_kind::quit, lost_any ? 1 : 0);
    if (lost_any) usleep(idle_microseconds * 100);
    const auto until = std::chrono::steady_clock::now() + rank_timeout();
    int there = channel.ranks() - 1;
    while (there > 0 && !lost_any) {
        while (const std::optional<message> next = channel.receive()) there -= next->kind == message_kind::bye ? 1 : 0;
        channel.collect_completed();
        usleep(idle_microseconds);
        lost_any = there > 0 && std::chrono::steady_clock::now() >= until;
    }
    if (!lost_any) send_all(channel);
    return lost_any;
}

// With --enable-recovery mpirun returns 0 whatever the exit codes of its processes.
void tell_exit_code(int code) {
    if (code != 0) std::fprintf(stderr, "ordeal-mpi: exit code %d\n", code);
    const char* const path = std::getenv("ORDEAL_MPI_STATUS");
    if (path == nullptr) return;
    std::FILE* const file = std::fopen(path, "w");
    if (file == nullptr || std::fprintf(file, "%d\n", code) < 0) {
        std::fprintf(stderr, "ordeal-mpi: cannot write the exit code into %s\n", path);
    }
    if (file != nullptr) std::fclose(file);
}

// Returns the exit code of the program.
int coordinate(transport& channel, const std::vector<std::string>& command, bool& lost_any) {
    coordinator rank_zero(channel, rank_timeout());
    worker_host host(channel, command);
    program = started(command, rank_zero.address());
    for (const int each : {SIGINT, SIGTERM}) std::signal(each, &pass_on);
    int status = 0;
    while (waitpid(program, &status, WNOHANG) != program) {
        bool did = false;
        while (const std::optional<message> next = channel.receive()) {
            did = true;
            if (is_for_worker_host(next->kind)) {
                host.take(*next);
            } else {
                rank_zero.take(*next);
            }
        }
        did |= rank_zero.poll();
        did |= host.poll();
        channel.collect_completed();
        if (!did) usleep(idle_microseconds);
    }
    lost_any = shut_down(channel, rank_zero.lost_any());
    return exit_code_of(status);
}

// Returns whether some rank was lost.
bool serve_rank(transport& channel, const std::vector<std::string>& command, int& code) {
    for (const int each : {SIGINT, SIGTERM}) std::signal(each, SIG_IGN);  // rank 0 decides
    worker_host host(channel, command);
    auto heard = std::chrono::steady_clock::now();
    while (true) {
        bool did = false;
        // No other rank would tell this one to end.
        if (std::chrono::steady_clock::now() - heard > rank_timeout()) {
            code = 4;
            std::fprintf(stderr, "ordeal-mpi: rank 0 is lost; rank %d ends\n", channel.rank());
            if (channel.rank() == 1) tell_exit_code(code);
            return true;
        }
        while (const std::optional<message> next = channel.receive()) {
            heard = std::chrono::steady_clock::now();
            if (next->kind == message_kind::heartbeat) continue;
            if (next->kind == message_kind::quit) {
                if (next->lease != 0) return true;
                channel.send(0, message_kind::bye, 0);
                send_all(channel);
                return false;
            }
            did = true;
            host.take(*next);
        }
        did |= host.poll();
        channel.collect_completed();
        if (!did) usleep(idle_microseconds);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: mpirun -n N ordeal-mpi [PROGRAM] COMMAND [OPTION]...\n", stderr);
        return 2;
    }
    MPI_Init(nullptr, nullptr);
    int code = 0;
    bool lost_any = false;
    try {
        transport channel;
        if (!given_rank_timeout()) {
            if (channel.rank() == 0) {
                std::fprintf(stderr, "ordeal-mpi: %s is no number of seconds from 2 to 86400: '%s'\n",
                             rank_timeout_variable, std::getenv(rank_timeout_variable));
                tell_exit_code(2);
            }
            MPI_Finalize();
            _exit(2);
        }
        const std::vector<std::string> command = command_of(argc, argv);
        if (channel.rank() == 0) {
            code = coordinate(channel, command, lost_any);
            tell_exit_code(code);
            if (std::getenv("ORDEAL_MPI_COUNTS") != nullptr) {
                std::fprintf(stderr, "ordeal-mpi: %llu letters came to rank 0, %llu bytes\n",
                             static_cast<unsigned long long>(channel.messages()),
                             static_cast<unsigned long long>(channel.bytes()));
            }
        } else {
            lost_any = serve_rank(channel, command, code);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ordeal-mpi: %s\n", error.what());
        code = 4;
    }
    std::fflush(nullptr);
    // If a rank is lost, MPI_Finalize would wait for it.
    if (!lost_any) MPI_Finalize();
    _exit(code);
}
