// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mpirun -n 4 ordeal-mpi check PATTERN...
// mpirun -n 4 ordeal-mpi ./my_trials check PATTERN...
//
// Runs the program on rank 0, and lends it processes of itself on all ranks: the program knows nothing of MPI, and this one
// nothing of searches.
#include "ordeal/mpi/keeper.hpp"
#include "ordeal/mpi/lender.hpp"
#include "ordeal/mpi/mail.hpp"

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

// Of the program `ordeal`; what is none of them is another program.
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

constexpr const char* patience_variable = "ORDEAL_MPI_PATIENCE";

// In seconds; nothing when the variable says something else. Each rank tells once a second that it is there.
std::optional<double> given_patience() {
    constexpr double least = 2;
    constexpr double most = 86'400;
    const char* const text = std::getenv(patience_variable);
    if (text == nullptr) return 30;
    double seconds = 0;
    const char* const end = text + std::strlen(text);
    const auto [stopped, error] = std::from_chars(text, end, seconds);
    if (error != std::errc() || stopped != end || !(seconds >= least && seconds <= most)) return std::nullopt;
    return seconds;
}

std::chrono::steady_clock::duration patience() {
    return std::chrono::milliseconds(static_cast<long>(given_patience().value_or(30) * 1000));
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

void send_all(mail& post) {
    while (post.sending()) {
        post.tidy();
        usleep(idle_microseconds);
    }
}

// MPI ends only where nothing is under way. Returns whether some rank was lost.
bool say_goodbye(mail& post, bool lost_any) {
    for (int rank = 1; rank < post.ranks(); ++rank) post.send(rank, mail_kind::quit, lost_any ? 1 : 0);
    if (lost_any) usleep(idle_microseconds * 100);
    const auto until = std::chrono::steady_clock::now() + patience();
    int there = post.ranks() - 1;
    while (there > 0 && !lost_any) {
        while (const std::optional<letter> next = post.receive()) there -= next->kind == mail_kind::bye ? 1 : 0;
        post.tidy();
        usleep(idle_microseconds);
        lost_any = there > 0 && std::chrono::steady_clock::now() >= until;
    }
    if (!lost_any) send_all(post);
    return lost_any;
}

// With --enable-recovery mpirun returns 0 whatever its processes end with.
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

// Returns what the program ended with.
int lend(mail& post, const std::vector<std::string>& command, bool& lost_any) {
    lender lends(post, patience());
    keeper mine(post, command);
    program = started(command, lends.address());
    for (const int each : {SIGINT, SIGTERM}) std::signal(each, &pass_on);
    int status = 0;
    while (waitpid(program, &status, WNOHANG) != program) {
        bool did = false;
        while (const std::optional<letter> next = post.receive()) {
            did = true;
            if (is_for_keeper(next->kind)) {
                mine.take(*next);
            } else {
                lends.take(*next);
            }
        }
        did |= lends.turn();
        did |= mine.turn();
        post.tidy();
        if (!did) usleep(idle_microseconds);
    }
    lost_any = say_goodbye(post, lends.lost_any());
    return exit_code_of(status);
}

// Returns whether some rank was lost.
bool keep(mail& post, const std::vector<std::string>& command, int& code) {
    for (const int each : {SIGINT, SIGTERM}) std::signal(each, SIG_IGN);  // rank 0 decides
    keeper mine(post, command);
    auto heard = std::chrono::steady_clock::now();
    while (true) {
        bool did = false;
        // Nobody would tell this rank that it is over.
        if (std::chrono::steady_clock::now() - heard > patience()) {
            code = 4;
            std::fprintf(stderr, "ordeal-mpi: rank 0 is lost; rank %d ends\n", post.rank());
            if (post.rank() == 1) tell_exit_code(code);
            return true;
        }
        while (const std::optional<letter> next = post.receive()) {
            heard = std::chrono::steady_clock::now();
            if (next->kind == mail_kind::alive) continue;
            if (next->kind == mail_kind::quit) {
                if (next->lease != 0) return true;
                post.send(0, mail_kind::bye, 0);
                send_all(post);
                return false;
            }
            did = true;
            mine.take(*next);
        }
        did |= mine.turn();
        post.tidy();
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
        mail post;
        if (!given_patience()) {
            if (post.rank() == 0) {
                std::fprintf(stderr, "ordeal-mpi: %s is no number of seconds from 2 to 86400: '%s'\n",
                             patience_variable, std::getenv(patience_variable));
                tell_exit_code(2);
            }
            MPI_Finalize();
            _exit(2);
        }
        const std::vector<std::string> command = command_of(argc, argv);
        if (post.rank() == 0) {
            code = lend(post, command, lost_any);
            tell_exit_code(code);
            if (std::getenv("ORDEAL_MPI_COUNTS") != nullptr) {
                std::fprintf(stderr, "ordeal-mpi: %llu letters came to rank 0, %llu bytes\n",
                             static_cast<unsigned long long>(post.letters()),
                             static_cast<unsigned long long>(post.bytes()));
            }
        } else {
            lost_any = keep(post, command, code);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ordeal-mpi: %s\n", error.what());
        code = 4;
    }
    std::fflush(nullptr);
    // Where a rank is lost, the end of MPI would wait for it.
    if (!lost_any) MPI_Finalize();
    _exit(code);
}
