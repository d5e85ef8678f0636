// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/instrumented/libstdcxx/library_objects.hpp"

#include "ordeal/instrumented/caller/caller_accesses.hpp"
#include "ordeal/instrumented/caller/code_sites.hpp"
#include "ordeal/runtime/execution.hpp"
#include "ordeal/runtime/memory/heap.hpp"
#include "ordeal/runtime/snapshot.hpp"
#include "ordeal/runtime/state/hash.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory_resource>
#include <type_traits>
#include <vector>

namespace ordeal::detail {

namespace {

struct pool_block {
    std::uintptr_t pool = 0;
    std::uintptr_t address = 0;
    std::size_t size = 0;
    std::size_t alignment = 0;
};

// In order of their addresses, which does not depend on the order in which threads allocated them.
std::vector<pool_block>& blocks() {
    static auto& instance = *new std::vector<pool_block>;  // never destroyed: pools may be globals
    return instance;
}

std::uintptr_t address_of(const void* object) noexcept { return reinterpret_cast<std::uintptr_t>(object); }

void note_block(const pool_block& block) {
    const harness_scope harness;
    auto& all = blocks();
    all.insert(std::ranges::lower_bound(all, block.address, {}, &pool_block::address), block);
}

pool_block forget_block(pool_block block) {
    const harness_scope harness;
    std::erase_if(blocks(), [&](const pool_block& each) { return each.address == block.address; });
    return block;
}

const pool_block* block_at(const void* address) noexcept {
    const auto found = std::ranges::find(blocks(), address_of(address), &pool_block::address);
    return found == blocks().end() ? nullptr : &*found;
}

[[noreturn]] void fail(instrumented_runtime& runtime, const code_location& at, const char* words) {
    runtime.fail(violation_kind::precondition, words, plain_code_site(at));
}

// [mem.res.pool.overview]: threads may use a synchronized pool concurrently, like a const object. Each use of an
// unsynchronized one is a write.
template <class Pool>
void uses_pool(const caller_accesses& caller, const Pool* pool) {
    if constexpr (std::is_same_v<Pool, std::pmr::synchronized_pool_resource>) {
        caller.reads(pool, sizeof(*pool));
    } else {
        caller.writes(pool, sizeof(*pool));
    }
}

template <class Pool>
void* take_from(const code_location& at, Pool* pool, std::size_t size, std::size_t alignment) {
    uses_pool(caller_accesses(at), pool);
    void* const block = pool->upstream_resource()->allocate(size, alignment);
    note_block({address_of(pool), address_of(block), size, alignment});
    return block;
}

template <class Pool>
void give_back_to(instrumented_runtime& runtime, const code_location& at, Pool* pool, void* block, std::size_t size,
                  std::size_t alignment) {
    uses_pool(caller_accesses(at), pool);
    const pool_block* const known = block_at(block);
    if (known == nullptr) {
        if (!heap::contains(block)) {
            runtime.refuse("memory that a pool gave before the search, and that goes back to it,", plain_code_site(at));
        }
        runtime.fail(violation_kind::double_free, "a block is given back to a pool twice", plain_code_site(at),
                     {address_of(block), size});
    }
    if (known->pool != address_of(pool)) fail(runtime, at, "memory is given back to a pool that it is not from");
    if (known->size != size || known->alignment != alignment) {
        fail(runtime, at, "memory is given back to a pool with another size or alignment than it was taken with");
    }
    forget_block(*known);
    pool->upstream_resource()->deallocate(block, size, alignment);
}

template <class Pool>
void release(Pool* pool) {
    for (;;) {
        const auto found = std::ranges::find(blocks(), address_of(pool), &pool_block::pool);
        if (found == blocks().end()) return;
        const pool_block block = forget_block(*found);
        pool->upstream_resource()->deallocate(reinterpret_cast<void*>(block.address), block.size, block.alignment);
    }
}

}  // namespace

// Pools constructed by libstdc++ become objects of these classes, as virtual calls go through their tables.
class synchronized_pool_on_trial : public std::pmr::synchronized_pool_resource {
public:
    ~synchronized_pool_on_trial() override;
    void* do_allocate(std::size_t size, std::size_t alignment) override;
    void do_deallocate(void* block, std::size_t size, std::size_t alignment) override;
};
class unsynchronized_pool_on_trial : public std::pmr::unsynchronized_pool_resource {
public:
    ~unsynchronized_pool_on_trial() override;
    void* do_allocate(std::size_t size, std::size_t alignment) override;
    void do_deallocate(void* block, std::size_t size, std::size_t alignment) override;
};

#define ORDEAL_POOL_ON_TRIAL(name, base) \
    name::~name() { \
        if (runtime_on_trial() == nullptr) return; \
        accesses_of_caller("~" #base).writes(this, sizeof(*this)); \
        detail::release(static_cast<std::pmr::base*>(this)); \
    } \
    void* name::do_allocate(std::size_t size, std::size_t alignment) { \
        if (runtime_on_trial() == nullptr) return base::do_allocate(size, alignment); \
        return take_from(code_location_here("allocate"), static_cast<std::pmr::base*>(this), size, alignment); \
    } \
    void name::do_deallocate(void* block, std::size_t size, std::size_t alignment) { \
        instrumented_runtime* const runtime = runtime_on_trial(); \
        if (runtime == nullptr) return base::do_deallocate(block, size, alignment); \
        give_back_to(*runtime, code_location_here("deallocate"), static_cast<std::pmr::base*>(this), block, size, \
                     alignment); \
    }
ORDEAL_POOL_ON_TRIAL(synchronized_pool_on_trial, synchronized_pool_resource)
ORDEAL_POOL_ON_TRIAL(unsynchronized_pool_on_trial, unsynchronized_pool_resource)

void memory_pools::begin_execution() noexcept { blocks().clear(); }
void memory_pools::save(snapshot& to) { to.put(blocks()); }
void memory_pools::restore(snapshot& from) { from.take(blocks()); }
std::uint64_t memory_pools::fingerprint() noexcept {
    return hash_of_bytes(address_of(blocks().data()), blocks().size() * sizeof(pool_block), 0);
}

// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" {
extern const void* const ordeal_table_of_synchronized[] asm("_ZTVN6ordeal6detail26synchronized_pool_on_trialE");
extern const void* const ordeal_table_of_unsynchronized[] asm("_ZTVN6ordeal6detail28unsynchronized_pool_on_trialE");
}

#define ORDEAL_POOL(pool, table, mangled) \
    extern "C" { \
    void construct_##pool(void*, const std::pmr::pool_options*, \
                          std::pmr::memory_resource*) asm("_ZNSt3pmr" mangled \
                                                          "C1ERKNS_12pool_optionsEPNS_15memory_resourceE"); \
    void destroy_##pool(void*) asm("_ZNSt3pmr" mangled "D1Ev"); \
    void release_##pool(void*) asm("_ZNSt3pmr" mangled "7releaseEv"); \
    void* allocate_##pool(void*, std::size_t, std::size_t) asm("_ZNSt3pmr" mangled "11do_allocateEmm"); \
    void deallocate_##pool(void*, void*, std::size_t, std::size_t) asm("_ZNSt3pmr" mangled "13do_deallocateEPvmm"); \
    void wrap_construct_##pool(void*, const std::pmr::pool_options*, \
                               std::pmr::memory_resource*) asm("__wrap__ZNSt3pmr" mangled \
                                                               "C1ERKNS_12pool_optionsEPNS_15memory_resourceE"); \
    void wrap_construct_base_##pool(void*, const std::pmr::pool_options*, \
                                    std::pmr::memory_resource*) asm("__wrap__ZNSt3pmr" mangled \
                                                                    "C2ERKNS_12pool_optionsEPNS_15memory_resourceE"); \
    void wrap_destroy_##pool(void*) asm("__wrap__ZNSt3pmr" mangled "D1Ev"); \
    void wrap_destroy_base_##pool(void*) asm("__wrap__ZNSt3pmr" mangled "D2Ev"); \
    void wrap_release_##pool(void*) asm("__wrap__ZNSt3pmr" mangled "7releaseEv"); \
    void* wrap_allocate_##pool(void*, std::size_t, std::size_t) asm("__wrap__ZNSt3pmr" mangled "11do_allocateEmm"); \
    void wrap_deallocate_##pool(void*, void*, std::size_t, \
                                std::size_t) asm("__wrap__ZNSt3pmr" mangled "13do_deallocateEPvmm"); \
\
    void wrap_construct_##pool(void* self, const std::pmr::pool_options* options, \
                               std::pmr::memory_resource* upstream) { \
        const caller_accesses caller = accesses_of_caller(#pool); \
        caller.reads(options, sizeof(*options)); \
        caller.writes(self, sizeof(std::pmr::pool)); \
        construct_##pool(self, options, upstream); \
        const void* const* const functions = (table) + 2; \
        std::memcpy(self, &functions, sizeof(functions)); \
    } \
    [[gnu::alias("__wrap__ZNSt3pmr" mangled "C1ERKNS_12pool_optionsEPNS_15memory_resourceE")]] void \
        wrap_construct_base_##pool(void*, const std::pmr::pool_options*, std::pmr::memory_resource*); \
    void wrap_destroy_##pool(void* self) { \
        const caller_accesses caller = accesses_of_caller("~" #pool); \
        caller.writes(self, sizeof(std::pmr::pool)); \
        if (caller.on_trial()) release(static_cast<std::pmr::pool*>(self)); \
        destroy_##pool(self); \
    } \
    [[gnu::alias("__wrap__ZNSt3pmr" mangled "D1Ev")]] void wrap_destroy_base_##pool(void*); \
    void wrap_release_##pool(void* self) { \
        const caller_accesses caller = accesses_of_caller("release"); \
        uses_pool(caller, static_cast<std::pmr::pool*>(self)); \
        if (caller.on_trial()) release(static_cast<std::pmr::pool*>(self)); \
        release_##pool(self); \
    } \
    void* wrap_allocate_##pool(void* self, std::size_t size, std::size_t alignment) { \
        if (runtime_on_trial() == nullptr) return allocate_##pool(self, size, alignment); \
        return take_from(code_location_here("allocate"), static_cast<std::pmr::pool*>(self), size, alignment); \
    } \
    void wrap_deallocate_##pool(void* self, void* block, std::size_t size, std::size_t alignment) { \
        instrumented_runtime* const runtime = runtime_on_trial(); \
        if (runtime == nullptr) return deallocate_##pool(self, block, size, alignment); \
        give_back_to(*runtime, code_location_here("deallocate"), static_cast<std::pmr::pool*>(self), block, size, \
                     alignment); \
    } \
    }
ORDEAL_POOL(synchronized_pool_resource, ordeal_table_of_synchronized, "26synchronized_pool_resource")
ORDEAL_POOL(unsynchronized_pool_resource, ordeal_table_of_unsynchronized, "28unsynchronized_pool_resource")
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)

}  // namespace ordeal::detail
