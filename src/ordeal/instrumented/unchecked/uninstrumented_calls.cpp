// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A trial library calls functions of other libraries through its own table of addresses. For functions whose calls must
// be accounted for, the table gets the address of a stub that does so and continues in the function with unchanged
// arguments.

#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/instrumented/caller/runtime_on_trial.hpp"
#include "ordeal/instrumented/process_state/global_state.hpp"
#include "ordeal/instrumented/process_state/library_state.hpp"
#include "ordeal/instrumented/process_state/process_changes.hpp"
#include "ordeal/instrumented/unchecked/library_functions.hpp"
#include "ordeal/instrumented/unchecked/unchecked_code.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/symbols/debug_info.hpp"
#include "ordeal/symbols/loaded_modules.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace ordeal::detail {

namespace {

struct unseen_function {
    std::string name;
    std::uintptr_t address = 0;
    const library_function* known = nullptr;  // null: unknown
    bool changes_process = false;
    bool is_virtual = false;         // called by a table of the library, which calls it by that, too
    std::set<std::uintptr_t> noted;  // calls, by return address
};

struct all_unseen {
    std::vector<unseen_function> functions;
    std::map<std::string, std::size_t, std::less<>> by_symbol;
    std::vector<std::string> unnoticed;
};

all_unseen& unseen() {
    static auto& instance = *new all_unseen;  // never destroyed: exit handlers may still call
    return instance;
}

std::string words_for(const unseen_function& what) { return unchecked_lists::words_for_call(what.name, what.address); }

// The symbols of a module, and the addresses that the loader wrote into it.
struct dynamic_section {
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
    std::span<const ElfW(Rela)> relocations;
    std::span<const ElfW(Rela)> calls;
};

dynamic_section dynamic_section_of(const dl_phdr_info& module) {
    dynamic_section result;
    for (const ElfW(Phdr) & each : headers_of(module)) {
        if (each.p_type != PT_DYNAMIC) continue;
        std::map<ElfW(Sxword), std::uintptr_t> values;
        const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(module.dlpi_addr + each.p_vaddr);
        for (; entry->d_tag != DT_NULL; ++entry) values[entry->d_tag] = entry->d_un.d_ptr;
        const auto table = [&](ElfW(Sxword) where, ElfW(Sxword) size) -> std::span<const ElfW(Rela)> {
            if (!values.contains(where)) return {};
            return {reinterpret_cast<const ElfW(Rela)*>(values[where]), values[size] / sizeof(ElfW(Rela))};
        };
        result.symbols = reinterpret_cast<const ElfW(Sym)*>(values[DT_SYMTAB]);
        result.names = reinterpret_cast<const char*>(values[DT_STRTAB]);
        result.relocations = table(DT_RELA, DT_RELASZ);
        result.calls = table(DT_JMPREL, DT_PLTRELSZ);
    }
    return result;
}

// A program contains the runtime and whatever else was linked into it. The runtime's functions have names of their own,
// or those of the library functions that they replace.
bool is_of_runtime(const char* symbol) {
    const std::string_view name = symbol;
    if (name.find("6ordeal") != std::string_view::npos) return true;
    constexpr std::array<std::string_view, 9> ours{"__tsan_",     "__ordeal_",         "ordeal_",
                                                   "__wrap_",     "__emutls_",         "Annotate",  // annotations.cpp
                                                   "WTFAnnotate", "RunningOnValgrind", "ValgrindSlowdown"};
    return std::ranges::any_of(ours, [&](std::string_view each) { return name.starts_with(each); }) ||
           dlsym(RTLD_NEXT, symbol) != nullptr;
}

// Code of the runtime or of a trial does not belong to a library.
bool is_own_code(const char* symbol, std::uintptr_t address) {
    return is_trial_code(address) || (is_in_program(address) && is_of_runtime(symbol));
}

bool is_code(std::uintptr_t address) {
    const auto module = module_at(address);
    return module &&
           std::ranges::any_of(module->code, [&](const address_range& each) { return each.contains(address); });
}

#if defined(__x86_64__)

constexpr bool calls_can_be_noticed = true;

bool holds_address(const ElfW(Rela) & relocation) noexcept {
    const auto type = ELF64_R_TYPE(relocation.r_info);
    return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT || type == R_X86_64_64;
}

// mov r11d, index; mov r10, entry; jmp r10. Neither register carries an argument.
constexpr std::size_t size_of_stub = 24;

void write_stub(unsigned char* to, std::uint32_t index, std::uintptr_t entry) noexcept {
    std::array<unsigned char, size_of_stub> code{0x41, 0xbb, 0, 0, 0, 0, 0x49, 0xba};
    std::memcpy(&code[2], &index, sizeof(index));
    std::memcpy(&code[8], &entry, sizeof(entry));
    code[16] = 0x41;
    code[17] = 0xff;
    code[18] = 0xe2;
    std::memcpy(to, code.data(), code.size());
}

#else

constexpr bool calls_can_be_noticed = false;
constexpr std::size_t size_of_stub = 1;

bool holds_address(const ElfW(Rela) & relocation) noexcept { return ELF64_R_SYM(relocation.r_info) != 0; }

void write_stub(unsigned char* /*to*/, std::uint32_t /*index*/, std::uintptr_t /*entry*/) noexcept {}

#endif

// Functions of <fenv.h> accept small numbers instead of addresses, for predefined environments; others accept null.
[[nodiscard]] bool is_object(std::uintptr_t address) noexcept {
    constexpr std::uintptr_t numbers = 4096;
    return address + numbers >= 2 * numbers;
}

constexpr std::size_t kept_arguments = 6;

// The entry stub has saved each of the six arguments, the first one nearest to its frame.
std::array<std::uintptr_t, kept_arguments> arguments_at(const code_location& at) noexcept {
    const auto* const kept = reinterpret_cast<const std::uintptr_t*>(at.frame) - 2;
    return {kept[0], kept[-1], kept[-2], kept[-3], kept[-4], kept[-5]};
}

// Those that follow are on the stack, above the return address.
std::uintptr_t argument_at(const code_location& at, std::size_t number) noexcept {
    if (number < kept_arguments) return arguments_at(at)[number];
    return reinterpret_cast<const std::uintptr_t*>(at.frame)[2 + number - kept_arguments];
}

std::size_t size_of(const accessed_argument& what, const code_location& at) noexcept {
    switch (what.count.by) {
        case extent::kind::counted: return argument_at(at, what.count.last) * what.size;
        case extent::kind::spanned:
            return (argument_at(at, what.count.last) - argument_at(at, what.count.first)) * what.size;
        case extent::kind::one: break;
    }
    return what.size;
}

// The use of the arguments is unknown: each may be the address of a buffer, or its size.
void let_kernel_write(const code_location& at) noexcept {
    constexpr std::size_t usual = std::size_t{64} << 10;
    constexpr std::size_t largest = std::size_t{1} << 30;
    const auto arguments = arguments_at(at);
    std::size_t size = usual;
    for (const std::uintptr_t each : arguments) {
        if (each <= largest) size = std::max<std::size_t>(size, each);
    }
    for (const std::uintptr_t each : arguments) global_state::make_writable({each, size});
}

void note_limit(instrumented_runtime& runtime, unseen_function& function, const code_location& at) {
    let_kernel_write(at);
    if (function.changes_process) process_changes::note();
    const harness_scope harness;
    if (function.noted.contains(at.address)) return;
    // That such code is not seen has a limit of its own, and a framework's is not on trial.
    if (is_called_by_framework(at)) return;
    if (function.noted.insert(at.address).second) runtime.note_limit(words_for(function), plain_code_site(at));
}

void account_for(instrumented_runtime& runtime, const library_function& known, const code_location& at) {
    for (const accessed_argument& each : known.objects) {
        if (each.size == 0) break;
        const memory_range object{argument_at(at, each.number), size_of(each, at)};
        if (!is_object(object.address) || object.size == 0) continue;
        if (each.writes) {
            runtime.write_bytes(object, at);
        } else {
            runtime.read_bytes(object, at);
        }
    }
    if (known.uses) runtime.read_bytes({reinterpret_cast<std::uintptr_t>(address_of(*known.uses)), 1}, at);
    if (known.serialised_on) serialise_access_to(runtime, *known.serialised_on, at);
}

}  // namespace

}  // namespace ordeal::detail

// Called by ordeal_unseen_entry: returns the address at which the call continues.
extern "C" std::uintptr_t ordeal_note_unseen(std::uint32_t index, std::uintptr_t frame) {
    ordeal::detail::unseen_function& function = ordeal::detail::unseen().functions[index];
    ordeal::detail::instrumented_runtime* const runtime = ordeal::detail::runtime_on_trial();
    if (runtime == nullptr) return function.address;
    const int error = errno;
    const std::uintptr_t back = reinterpret_cast<const std::uintptr_t*>(frame)[1];
    if (function.is_virtual && !ordeal::detail::is_trial_code(back)) return function.address;
    if (function.known == nullptr) {
        ordeal::detail::note_limit(*runtime, function, {back, frame, "call"});
    } else {
        ordeal::detail::account_for(*runtime, *function.known, {back, frame, function.name.c_str()});
    }
    errno = error;
    return function.address;
}

#if defined(__x86_64__)

// The width of this processor's vector registers: 16, 32 or 64 bytes.
extern "C" [[gnu::visibility("hidden")]] unsigned ordeal_width_of_vectors;
unsigned ordeal_width_of_vectors = 16;

// Saves all registers that may carry an argument at full width: the function called here may clear the upper halves.
// The frame layout is readable by debuggers.
extern "C" void ordeal_unseen_entry();
asm(R"(
    .pushsection .text
    .globl ordeal_unseen_entry
    .hidden ordeal_unseen_entry
    .type ordeal_unseen_entry, @function
ordeal_unseen_entry:
    .cfi_startproc
    push %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    mov %rsp, %rbp
    .cfi_def_cfa_register %rbp
    push %rax
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    push %r11
    sub $512, %rsp
    cmpl $32, ordeal_width_of_vectors(%rip)
    ja 12f
    je 11f
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    movups %xmm\i, \i*16(%rsp)
    .endr
    jmp 13f
11:
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    vmovups %ymm\i, \i*32(%rsp)
    .endr
    jmp 13f
12:
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    vmovups %zmm\i, \i*64(%rsp)
    .endr
13:
    mov %r11d, %edi
    mov %rbp, %rsi
    call ordeal_note_unseen
    mov %rax, %r10
    cmpl $32, ordeal_width_of_vectors(%rip)
    ja 22f
    je 21f
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    movups \i*16(%rsp), %xmm\i
    .endr
    jmp 23f
21:
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    vmovups \i*32(%rsp), %ymm\i
    .endr
    jmp 23f
22:
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    vmovups \i*64(%rsp), %zmm\i
    .endr
23:
    add $512, %rsp
    pop %r11
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    pop %rax
    pop %rbp
    .cfi_def_cfa %rsp, 8
    jmp *%r10
    .cfi_endproc
    .size ordeal_unseen_entry, .-ordeal_unseen_entry
    .popsection
)");

#else

extern "C" void ordeal_unseen_entry() {}

#endif

namespace ordeal::detail {

namespace {

// A slot in a trial library that holds the address of an uninstrumented function.
struct place {
    std::uintptr_t* at;
    std::size_t function;
    bool constant;  // the loader has write-protected it
};

class looker {
public:
    // What the loader has write-protected after relocation.
    template <class Headers>
    static memory_range constant_memory(const Headers& headers, std::uintptr_t base) {
        for (const ElfW(Phdr) & each : headers) {
            if (each.p_type == PT_GNU_RELRO) return {base + each.p_vaddr, each.p_memsz};
        }
        return {};
    }

    void look_at(const dl_phdr_info& module) {
        const dynamic_section section = dynamic_section_of(module);
        const memory_range constant = constant_memory(headers_of(module), module.dlpi_addr);
        for (const auto& table : {section.relocations, section.calls}) {
            for (const ElfW(Rela) & each : table) {
                if (!holds_address(each)) continue;
                const char* const symbol = section.names + section.symbols[ELF64_R_SYM(each.r_info)].st_name;
                const std::uintptr_t at = module.dlpi_addr + each.r_offset;
                note(symbol, reinterpret_cast<std::uintptr_t*>(at), at - constant.address < constant.size);
            }
        }
    }

    // Objects of libstdc++ have its tables, whoever calls. Those of a static libstdc++ are not looked at.
    void look_at_virtual_functions() {
        void* const library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_NOLOAD);
        if (library == nullptr) return;
        for (const char* const name : tables_of_virtual_functions()) {
            Dl_info about{};
            void* entry = nullptr;
            void* const table = dlsym(library, name);
            if (table == nullptr) continue;
            if (dladdr1(table, &about, &entry, RTLD_DL_SYMENT) == 0 || entry == nullptr) continue;
            const auto* const symbol = static_cast<const ElfW(Sym)*>(entry);
            const std::span slots(static_cast<std::uintptr_t*>(table), symbol->st_size / sizeof(std::uintptr_t));
            const auto base = reinterpret_cast<std::uintptr_t>(about.dli_fbase);
            const auto* const header = static_cast<const ElfW(Ehdr)*>(about.dli_fbase);
            const std::span headers(reinterpret_cast<const ElfW(Phdr)*>(base + header->e_phoff), header->e_phnum);
            const memory_range constant = constant_memory(headers, base);
            for (std::uintptr_t& each : slots.subspan(2)) {
                note_virtual(&each, reinterpret_cast<std::uintptr_t>(&each) - constant.address < constant.size);
            }
        }
        dlclose(library);
    }

    [[nodiscard]] const std::vector<place>& places() const noexcept { return places_; }

private:
    void note(const char* symbol, std::uintptr_t* at, bool constant) {
        const std::uintptr_t address = *at;
        const library_function* const known = library_function_of(symbol);
        if (address == 0 || *symbol == '\0' || (known != nullptr && known->is_harmless())) return;
        if (is_own_code(symbol, address) || !is_code(address)) return;
        const bool changes_process = known == nullptr && !changes_memory_alone(symbol);
        add(symbol, at, constant, {readable_symbol(symbol), address, known, changes_process, false, {}});
    }

    // The function in a slot of a table of virtual functions.
    void note_virtual(std::uintptr_t* at, bool constant) {
        Dl_info about{};
        if (dladdr(reinterpret_cast<const void*>(*at), &about) == 0 || about.dli_sname == nullptr) return;
        if (reinterpret_cast<std::uintptr_t>(about.dli_saddr) != *at) return;
        const library_function* const known = library_function_of(about.dli_sname);
        if (known == nullptr || known->is_harmless()) return;
        add(std::string("virtual ") + about.dli_sname, at, constant,
            {readable_symbol(about.dli_sname), *at, known, false, true, {}});
    }

    void add(const std::string& key, std::uintptr_t* at, bool constant, unseen_function what) {
        all_unseen& all = unseen();
        const auto [place, added] = all.by_symbol.emplace(key, all.functions.size());
        if (added) all.functions.push_back(std::move(what));
        places_.push_back({at, place->second, constant});
    }

    std::vector<place> places_;
};

void look_at_processor() noexcept {
#if defined(__x86_64__)
    ordeal_width_of_vectors = __builtin_cpu_supports("avx512f") != 0 ? 64
                              : __builtin_cpu_supports("avx") != 0   ? 32
                                                                     : 16;
#endif
}

// Null if this system forbids creating code.
unsigned char* make_stubs(std::size_t count) {
    if (!calls_can_be_noticed) return nullptr;
    const std::size_t size = count * size_of_stub;
    void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    auto* const stubs = static_cast<unsigned char*>(memory);
    for (std::size_t i = 0; i < count; ++i) {
        write_stub(stubs + i * size_of_stub, static_cast<std::uint32_t>(i),
                   reinterpret_cast<std::uintptr_t>(&ordeal_unseen_entry));
    }
    return ::mprotect(memory, size, PROT_READ | PROT_EXEC) == 0 ? stubs : nullptr;
}

bool redirect(const place& where, std::uintptr_t to) noexcept {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    auto* const begin = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(where.at) & ~(page - 1));
    if (where.constant && ::mprotect(begin, page, PROT_READ | PROT_WRITE) != 0) return false;
    *where.at = to;
    return !where.constant || ::mprotect(begin, page, PROT_READ) == 0;
}

}  // namespace

void uninstrumented_calls::begin_search() {
    for (unseen_function& each : unseen().functions) each.noted.clear();
    static bool done = false;
    if (std::exchange(done, true)) return;
    look_at_processor();
    looker found;
    for_each_trial_module([&](const dl_phdr_info& module) { found.look_at(module); });
    if (calls_can_be_noticed) found.look_at_virtual_functions();
    all_unseen& all = unseen();
    const unsigned char* const stubs = all.functions.empty() ? nullptr : make_stubs(all.functions.size());
    std::set<std::size_t> left;
    for (const place& each : found.places()) {
        const auto stub = reinterpret_cast<std::uintptr_t>(stubs) + each.function * size_of_stub;
        if (stubs == nullptr || !redirect(each, stub)) left.insert(each.function);
    }
    for (const std::size_t each : left) all.unnoticed.push_back(words_for(all.functions[each]));
}

std::vector<std::string> uninstrumented_calls::unnoticed() { return unseen().unnoticed; }

}  // namespace ordeal::detail
