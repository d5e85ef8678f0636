// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// measure COMMAND [ARGUMENT]...
//
// Runs the command and prints, as JSON, what it and the processes that it waited for took. A program of its own: the peak of a
// process that was just begun is that of the one that began it, and this one is small.
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("measure COMMAND [ARGUMENT]...\n", stderr);
        return 2;
    }
    const auto began = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[1], argv + 1);
        std::perror(argv[1]);
        _exit(127);
    }
    int status = 0;
    rusage used{};
    if (child < 0 || wait4(child, &status, 0, &used) != child) {
        std::perror("measure");
        return 2;
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    std::printf("{\"exit\": %d, \"wall\": %.6f, \"user\": %.6f, \"system\": %.6f, \"peak_kib\": %ld}\n",
                WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), wall.count(), seconds(used.ru_utime),
                seconds(used.ru_stime), used.ru_maxrss);
    return 0;
}
