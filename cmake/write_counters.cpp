// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked with --wrap=_exit into programs that count lines and branches. The names are the compiler's and the linker's.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" int __llvm_profile_write_file();
extern "C" [[noreturn]] void __real__exit(int code);
extern "C" [[noreturn]] void __wrap__exit(int code);

extern "C" void __wrap__exit(int code) {
    (void)__llvm_profile_write_file();
    __real__exit(code);
}
// NOLINTEND(bugprone-reserved-identifier)
