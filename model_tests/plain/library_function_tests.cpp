// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of what functions of libraries do (ordeal/instrumented/unchecked/library_functions.cpp), beside what libstdc++ exports.
#include "ordeal/instrumented/unchecked/library_functions.hpp"

#include <catch2/catch.hpp>

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ordeal::model_tests {

using namespace detail;

namespace {

struct exported_function {
    std::string symbol;
    std::string name;
};

std::string demangled(const char* symbol) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                           &std::free);
    return status == 0 ? name.get() : symbol;
}

int add_functions(dl_phdr_info* module, std::size_t /*size*/, void* context) {
    if (std::strstr(module->dlpi_name, "libstdc++") == nullptr) return 0;
    const ElfW(Sym)* symbols = nullptr;
    const char* names = nullptr;
    for (const ElfW(Phdr) & each : std::span(module->dlpi_phdr, module->dlpi_phnum)) {
        if (each.p_type != PT_DYNAMIC) continue;
        for (const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(module->dlpi_addr + each.p_vaddr);
             entry->d_tag != DT_NULL; ++entry) {
            if (entry->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(entry->d_un.d_ptr);
            if (entry->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(entry->d_un.d_ptr);
        }
    }
    // The names follow the symbols.
    const auto* const end = reinterpret_cast<const ElfW(Sym)*>(names);
    for (const auto* each = symbols; each < end; ++each) {
        if (ELF64_ST_TYPE(each->st_info) != STT_FUNC || each->st_shndx == SHN_UNDEF) continue;
        static_cast<std::vector<exported_function>*>(context)->push_back(
            {names + each->st_name, demangled(names + each->st_name)});
    }
    return 1;
}

const std::vector<exported_function>& functions_of_libstdcxx() {
    static const auto all = [] {
        std::vector<exported_function> result;
        ::dl_iterate_phdr(add_functions, &result);
        return result;
    }();
    return all;
}

bool begins_with_any(std::string_view name, std::span<const std::string_view> all) {
    return std::ranges::any_of(all, [&](std::string_view each) { return name.starts_with(each); });
}

bool accesses(const library_function& which, bool writes) {
    return std::ranges::any_of(which.objects,
                               [&](const accessed_argument& each) { return each.size != 0 && each.writes == writes; });
}

}  // namespace

TEST_CASE("libstdc++ exports functions of which the table knows what they do") {
    const auto& all = functions_of_libstdcxx();
    const auto known = std::ranges::count_if(
        all, [](const exported_function& each) { return library_function_of(each.symbol) != nullptr; });
    CHECK(all.size() > 2000);
    CHECK(known > 200);
}

TEST_CASE("A member function accesses its object, but of classes that have none, or whose accesses are all seen") {
    // Namespaces, and classes of which nothing changes, or is changed by functions of ours alone.
    constexpr std::array<std::string_view, 29> without{"std::type_info::",
                                                       "__cxxabiv1::",
                                                       "std::_V2::error_category::",
                                                       "std::_V2::system_category",
                                                       "std::_V2::generic_category",
                                                       "std::_V2::condition_variable_any::",
                                                       "std::condition_variable::",
                                                       "std::__atomic_futex_unsigned_base::",
                                                       "std::thread::_State::",
                                                       "std::thread::hardware_concurrency",
                                                       "std::this_thread::",
                                                       "std::__future_base::",
                                                       "std::pmr::new_delete_resource",
                                                       "std::pmr::null_memory_resource",
                                                       "std::locale::classic",
                                                       "std::locale::facet::",
                                                       "std::locale::id::_M_id",
                                                       "std::ctype<char>::",
                                                       "std::ctype<wchar_t>::",
                                                       "std::num_get<",
                                                       "std::time_put<",
                                                       "std::__cxx11::time_get<",
                                                       "std::codecvt<",
                                                       "std::num_put<",
                                                       "__gnu_cxx::stdio_sync_filebuf<",
                                                       "std::ios_base::Init::",
                                                       "std::__exception_ptr::exception_ptr::_M_addref",
                                                       "std::__exception_ptr::exception_ptr::_M_release",
                                                       "std::__throw_"};
    for (const exported_function& each : functions_of_libstdcxx()) {
        const library_function* const known = library_function_of(each.symbol);
        if (known == nullptr || !each.symbol.starts_with("_ZN") || begins_with_any(each.name, without)) continue;
        CAPTURE(each.name);
        if (known->serialised_on) continue;
        CHECK_FALSE(known->is_harmless());
        const bool is_const = each.symbol.starts_with("_ZNK");
        // What compares or calls back is told by its name, and changes nothing of its object.
        const bool only_reads = is_const || each.name.find("operator==") != std::string::npos ||
                                each.name.find("operator!=") != std::string::npos ||
                                each.name.find("_M_call_callbacks") != std::string::npos;
        CHECK(accesses(*known, !only_reads));
        if (is_const) CHECK_FALSE(accesses(*known, true));
    }
}

}  // namespace ordeal::model_tests
