// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/engine/graph/core/run/fibers.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <boost/context/detail/fcontext.hpp>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace ordeal::detail::graph {

namespace {

namespace context = boost::context::detail;

constexpr std::size_t guard_size = fibers::stack_size;  // a large frame must not skip it
constexpr std::size_t stride = fibers::stack_size + guard_size;
// Beside the heap of the code on trial; fixed, so that stack addresses are the same in every process.
constexpr std::uintptr_t preferred_base = 0x2100'0000'0000;
// Left unmapped, to catch frames on the lowest stack that are larger than the guard.
constexpr std::size_t below_all = std::size_t{1} << 30;

}  // namespace

// The entry function of a fiber. Its arguments may remain on the stack, so they are always the same.
struct fibers::entry {
    static void begin(context::transfer_t from) {
        auto& all = *static_cast<fibers*>(from.data);
        all.outside_ = from.fctx;
        const int thread_id = all.running_;
        const fiber& which = all.fibers_[static_cast<std::size_t>(thread_id)];
        which.floating.set();
        which.what(which.context, thread_id);
        __builtin_unreachable();
    }
};

fibers::fibers() {
    void* const got = ::mmap(reinterpret_cast<void*>(preferred_base), stride * max_thread_ids, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == MAP_FAILED)
        throw std::system_error(errno, std::generic_category(),
                                "no room for stacks (is there a limit, as of ulimit -v?)");
    base_ = reinterpret_cast<std::uintptr_t>(got);
    (void)::madvise(got, stride * max_thread_ids, MADV_NOHUGEPAGE);  // most stacks use a page or two
    for (std::size_t i = 0; i < max_thread_ids; ++i) {
        if (::mprotect(reinterpret_cast<void*>(base_ + i * stride), guard_size, PROT_NONE) != 0) {
            throw std::system_error(errno, std::generic_category(), "no guard pages for stacks");
        }
    }
}

fibers::~fibers() { ::munmap(reinterpret_cast<void*>(base_), stride * max_thread_ids); }

std::uintptr_t fibers::top(int thread_id) const noexcept {
    return base_ + (static_cast<std::size_t>(thread_id) + 1) * stride;
}

memory_range fibers::region() const noexcept { return {base_, stride * max_thread_ids}; }

memory_of_threads fibers::parts() const noexcept { return {region(), stride}; }

std::optional<fibers::place> fibers::owner_of(std::uintptr_t address) noexcept {
    const std::uintptr_t offset = address - preferred_base;
    if (offset >= stride * max_thread_ids) return std::nullopt;
    return place{static_cast<int>(offset / stride), offset % stride};
}

memory_range fibers::suspended(int thread_id) const noexcept {
    const auto begin = reinterpret_cast<std::uintptr_t>(fibers_[static_cast<std::size_t>(thread_id)].position);
    return {begin, top(thread_id) - begin};
}

bool fibers::on_stack(int thread_id, std::uintptr_t address) const noexcept {
    return address < top(thread_id) && address >= top(thread_id) - stack_size;
}

std::optional<int> fibers::thread_with(std::uintptr_t address) const {
    const auto place = owner_of(address);
    return place ? std::optional(place->thread_id) : std::nullopt;
}

calling_function fibers::suspended_in(int thread_id) const {
    const std::uintptr_t frame = fibers_[static_cast<std::size_t>(thread_id)].frame;
    if (frame == 0) return {};
    return caller_at({reinterpret_cast<const std::uintptr_t*>(frame)[1], frame, ""});
}

bool fibers::in_guard(std::uintptr_t address) const noexcept {
    if (address < base_) return base_ - address <= below_all;
    return address < base_ + stride * max_thread_ids && (address - base_) % stride < guard_size;
}

void fibers::start(int thread_id, body what, void* context, const floating_point& floating) {
    fiber& each = fibers_[static_cast<std::size_t>(thread_id)];
    each.position = context::make_fcontext(reinterpret_cast<void*>(top(thread_id)), stack_size, &entry::begin);
    each.frame = 0;
    each.exceptions = {};
    each.error = 0;
    each.floating = floating;
    each.what = what;
    each.context = context;
}

void fibers::clear(int thread_id) noexcept {
    constexpr std::size_t used_as_a_rule = std::size_t{16} << 10;
    std::memset(reinterpret_cast<void*>(top(thread_id) - used_as_a_rule), 0, used_as_a_rule);
}

void fibers::save(int thread_id, bool with_stack, snapshot& to) const {
    to.put(fibers_[static_cast<std::size_t>(thread_id)]);
    if (with_stack) to.put(suspended(thread_id));
}

void fibers::restore(int thread_id, bool with_stack, snapshot& from) {
    from.take(fibers_[static_cast<std::size_t>(thread_id)]);
    if (with_stack) from.take(suspended(thread_id));
}

// Switches the exceptions that the fiber is handling as well.
void fibers::resume(int thread_id) {
    fiber& each = fibers_[static_cast<std::size_t>(thread_id)];
    auto* const exceptions = reinterpret_cast<unsigned char*>(abi::__cxa_get_globals());
    std::memcpy(exceptions, each.exceptions.data(), each.exceptions.size());
    errno = each.error;
    running_ = thread_id;
    const auto back = context::jump_fcontext(each.position, this);
    each.position = back.fctx;
    each.error = errno;
    std::memcpy(each.exceptions.data(), exceptions, each.exceptions.size());
    std::memset(exceptions, 0, each.exceptions.size());
}

[[gnu::noinline]] void fibers::suspend() {
    fiber& own = fibers_[static_cast<std::size_t>(running_)];
    own.frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    own.floating = floating_point::here();
    const auto back = context::jump_fcontext(outside_, nullptr);
    outside_ = back.fctx;
    own.floating.set();
}

}  // namespace ordeal::detail::graph
