// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Catch2, version 2 and 3, for ordeal::check(). Compiled with the tests, in projects of users.
#include "ordeal/suite/test_framework.hpp"

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#define ORDEAL_CATCH2 3
#else
#include <catch2/catch.hpp>
#define ORDEAL_CATCH2 2
#endif

#include <array>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <ostream>
#include <string>

// The framework's, or the user's: in the library with the tests.
int ordeal_main_of_tests(int argc, char** argv) asm("main");

namespace {

using namespace Catch;

// The messages of INFO and CAPTURE on this thread, while in scope.
struct messages {
    std::array<const MessageInfo*, 16> in_scope{};
    std::size_t count = 0;
};

thread_local messages said;

[[noreturn]] void end_execution(std::string text, const char* file, std::size_t line) {
    for (std::size_t i = 0; i < said.count && i < said.in_scope.size(); ++i) {
        text += "; " + std::string(said.in_scope[i]->message);
    }
    __assert_fail(text.c_str(), file, static_cast<unsigned>(line), "");
}

[[noreturn]] void refuse(const std::string& what) {
    end_execution(what + " is not for a body of ordeal::check()", "unknown", 0);
}

std::string text_of(const StringRef& text) { return std::string(text.data(), text.size()); }

std::string text_of(const AssertionInfo& info) {
    return text_of(info.macroName) + "(" + text_of(info.capturedExpression) + ")";
}

// Replaces the object that counts assertions while a body is on trial, which is for one thread and would carry its
// state from one execution to the next.
class ends_execution final : public IResultCapture {
public:
    bool sectionStarted(
#if ORDEAL_CATCH2 >= 3
        StringRef /*name*/, const SourceLineInfo& /*at*/,
#else
        const SectionInfo& /*info*/,
#endif
        Counts& /*assertions*/) override {
        refuse("SECTION");
    }
#if ORDEAL_CATCH2 >= 3
    // Of newer versions of 3; in older ones nothing is overridden.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsuggest-override"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Winconsistent-missing-override"
#endif
    virtual void notifyAssertionStarted(const AssertionInfo& /*info*/) {}
#pragma GCC diagnostic pop
    void sectionEnded(SectionEndInfo&& /*info*/) override { refuse("SECTION"); }
    void sectionEndedEarly(SectionEndInfo&& /*info*/) override { refuse("SECTION"); }
    IGeneratorTracker* acquireGeneratorTracker(StringRef /*name*/, const SourceLineInfo& /*at*/) override {
        refuse("GENERATE");
    }
    IGeneratorTracker* createGeneratorTracker(StringRef /*name*/, SourceLineInfo /*at*/,
                                              Generators::GeneratorBasePtr&& /*generator*/) override {
        refuse("GENERATE");
    }
    void benchmarkPreparing(StringRef /*name*/) override { refuse("BENCHMARK"); }
    void benchmarkStarting(const BenchmarkInfo& /*info*/) override { refuse("BENCHMARK"); }
    void benchmarkEnded(const BenchmarkStats<>& /*stats*/) override { refuse("BENCHMARK"); }
    void benchmarkFailed(StringRef /*error*/) override { refuse("BENCHMARK"); }
    void emplaceUnscopedMessage(MessageBuilder&& /*builder*/) override { refuse("UNSCOPED_INFO"); }
#else
    void sectionEnded(const SectionEndInfo& /*info*/) override { refuse("SECTION"); }
    void sectionEndedEarly(const SectionEndInfo& /*info*/) override { refuse("SECTION"); }
    IGeneratorTracker& acquireGeneratorTracker(StringRef /*name*/, const SourceLineInfo& /*at*/) override {
        refuse("GENERATE");
    }
#if defined(CATCH_CONFIG_ENABLE_BENCHMARKING)
    void benchmarkPreparing(const std::string& /*name*/) override { refuse("BENCHMARK"); }
    void benchmarkStarting(const BenchmarkInfo& /*info*/) override { refuse("BENCHMARK"); }
    void benchmarkEnded(const BenchmarkStats<>& /*stats*/) override { refuse("BENCHMARK"); }
    void benchmarkFailed(const std::string& /*error*/) override { refuse("BENCHMARK"); }
#endif
    void emplaceUnscopedMessage(const MessageBuilder& /*builder*/) override { refuse("UNSCOPED_INFO"); }
#endif
    void pushScopedMessage(const MessageInfo& message) override {
        if (said.count < said.in_scope.size()) said.in_scope[said.count] = &message;
        ++said.count;
    }
    void popScopedMessage(const MessageInfo& /*message*/) override { --said.count; }
    void handleFatalErrorCondition(StringRef message) override { end_execution(text_of(message), "unknown", 0); }

    void handleExpr(const AssertionInfo& info, const ITransientExpression& expression,
                    AssertionReaction& /*reaction*/) override {
        const bool negated = (info.resultDisposition & ResultDisposition::FalseTest) != 0;
        if (expression.getResult() != negated || (info.resultDisposition & ResultDisposition::SuppressFail) != 0)
            return;
        ReusableStringStream expanded;
        expression.streamReconstructedExpression(expanded.get());
        fail(info, ": " + expanded.str());
    }
    void handleMessage(const AssertionInfo& info, ResultWas::OfType type,
#if ORDEAL_CATCH2 >= 3
                       std::string&& message,
#else
                       const StringRef& message,
#endif
                       AssertionReaction& /*reaction*/) override {
        if (isOk(type) || type == ResultWas::Info || type == ResultWas::Warning) return;
        fail(info, ": " + std::string(message.data(), message.size()));
    }
    void handleUnexpectedExceptionNotThrown(const AssertionInfo& info, AssertionReaction& /*reaction*/) override {
        fail(info, ": no exception was thrown");
    }
    void handleUnexpectedInflightException(const AssertionInfo& info,
#if ORDEAL_CATCH2 >= 3
                                           std::string&& message,
#else
                                           const std::string& message,
#endif
                                           AssertionReaction& /*reaction*/) override {
        fail(info, ": an exception was thrown: " + message);
    }
    void handleIncomplete(const AssertionInfo& info) override { fail(info, ": an exception left it"); }
    void handleNonExpr(const AssertionInfo& info, ResultWas::OfType type, AssertionReaction& /*reaction*/) override {
        if (!isOk(type)) fail(info, "");
    }

    bool lastAssertionPassed() override { return true; }
    void assertionPassed() override {}
    std::string getCurrentTestName() const override { return "a body of ordeal::check()"; }
    const AssertionResult* getLastResult() const override { return nullptr; }
    void exceptionEarlyReported() override {}

private:
    [[noreturn]] static void fail(const AssertionInfo& info, const std::string& why) {
        end_execution(text_of(info) + why, info.lineInfo.file, info.lineInfo.line);
    }
};

ends_execution for_bodies;
IResultCapture* of_test = nullptr;

IResultCapture* capture_in_force() { return getCurrentContext().getResultCapture(); }
void put_in_force(IResultCapture* capture) { getCurrentMutableContext().setResultCapture(capture); }

std::string test() { return capture_in_force() == nullptr ? "no test" : capture_in_force()->getCurrentTestName(); }

// Escapes a name for a test specification, where commas and brackets have a meaning.
std::string filter() {
    std::string result;
    for (const char each : test()) {
        if (each == ',' || each == '[' || each == ']' || each == '\\' || each == '"') result += '\\';
        result += each;
    }
    return result;
}

constexpr ordeal::detail::test_framework catch2{
    .main = &ordeal_main_of_tests,
    .test = &test,
    .filter = &filter,
    .begin_body =
        [] {
            of_test = capture_in_force();
            put_in_force(&for_bodies);
        },
    .end_body = [] { put_in_force(of_test); },
    .pass = [](const char* text) { SUCCEED(text); },
    .fail =
        [](const char* text, const char* file, int line) {
            // Reporters break lines anywhere, but a command must stay whole.
            if (const char* const command = std::strstr(text, "replay: ")) cout() << command;
            // Like FAIL, at the line of the check.
            AssertionHandler handler("ordeal::check", SourceLineInfo(file, static_cast<std::size_t>(line)), StringRef(),
                                     ResultDisposition::Normal);
            handler.handleMessage(ResultWas::ExplicitFailure,
#if ORDEAL_CATCH2 >= 3
                                  std::string(text)
#else
                                  StringRef(text)
#endif
            );
            handler.complete();
        },
};

[[gnu::constructor]] void introduce() { ordeal::detail::register_test_framework(catch2); }

}  // namespace
