// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>  // Catch2 version 3
constexpr auto no_test_matches = Catch::WarnAbout::UnmatchedTestSpec;
#else
#define CATCH_CONFIG_RUNNER  // NOLINT(readability-identifier-naming): Catch2's name
#include <catch2/catch.hpp>
constexpr auto no_test_matches = Catch::WarnAbout::NoTests;
#endif

#ifdef NDEBUG
#error "Assertions are part of what is checked: tests are built without NDEBUG."
#endif

// A test that asserts nothing fails, and so does a name that selects no test.
int main(int argc, char** argv) {
    Catch::Session session;
    constexpr int flags = Catch::WarnAbout::NoAssertions | no_test_matches;
    // NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange): Catch2 takes flags here
    session.configData().warnings = static_cast<Catch::WarnAbout::What>(flags);
    return session.run(argc, argv);
}
