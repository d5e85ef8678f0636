// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A local variable of a function that nobody sees, where a variable of the trial's was before: nobody announces that its
// scope begins.
void lend(void (*use)(char*));

namespace {

void write(char* to) { *to = 1; }

__attribute__((noinline)) void leave_behind(void (*use)(char*)) {
    char own[4096];
    use(own);
}

}  // namespace

void trial() {
    leave_behind(&write);
    lend(&write);
}
