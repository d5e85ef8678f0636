// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/processors/mapping.hpp"

namespace ordeal::detail::processors {

namespace {

// Loads and stores, and nothing locked.
bool stores(operation what) { return writes(what) && !reads(what); }
bool loads(operation what) { return what == operation::load || what == operation::library_acquire; }

class compiler {
public:
    compiler(target which, const std::vector<source_event>& source)
        : which_(which), source_(source), write_of_(source.size()) {}

    std::vector<machine_event> compile() {
        for (at_ = 0; at_ < source_.size(); ++at_) {
            switch (which_) {
                case target::x86_64: x86_64(); break;
                case target::aarch64: aarch64(false); break;
                case target::aarch64_lse: aarch64(true); break;
                case target::riscv64: riscv(); break;
                case target::ppc64le: power(); break;
            }
        }
        for (machine_event& each : made_) {
            if (each.reads_from) each.reads_from = write_of_[*each.reads_from];
        }
        return std::move(made_);
    }

private:
    [[nodiscard]] const source_event& now() const { return source_[at_]; }
    [[nodiscard]] bool sc() const { return now().using_order == order::seq_cst; }
    [[nodiscard]] bool acquire() const { return acquires(now().using_order); }
    [[nodiscard]] bool release() const { return releases(now().using_order); }

    void put(barrier which) { made_.push_back({.thread = now().thread, .kind = which}); }

    // `reads_from` is the source's until all instructions are there.
    machine_event& put_access(bool reads, bool writes) {
        if (writes) write_of_[at_] = made_.size();
        return made_.emplace_back(machine_event{.thread = now().thread,
                                                .reads = reads,
                                                .writes = writes,
                                                .location = now().location,
                                                .reads_from = reads ? now().reads_from : std::nullopt,
                                                .coherence = writes ? now().coherence : 0,
                                                .certified = reads && now().certified});
    }
    machine_event& read() { return put_access(true, false); }
    machine_event& write() { return put_access(false, true); }
    machine_event& modifying_write() {
        machine_event& result = write();
        result.rmw = true;
        return result;
    }

    // Loads, stores and read-modify-writes without any order.
    void accesses() {
        if (reads(now().what)) read();
        if (is_read_modify_write(now().what)) {
            modifying_write();
        } else if (writes(now().what)) {
            write();
        }
    }

    void x86_64() {
        if (now().what == operation::fence) {
            if (sc()) put(barrier::mfence);
            return;
        }
        const bool locked = stores(now().what) ? sc() : !loads(now().what);
        if (locked) put(barrier::mfence);
        accesses();
        if (locked) put(barrier::mfence);
    }

    void aarch64(bool lse) {
        if (now().what == operation::fence) {
            if (now().using_order != order::relaxed)
                put(now().using_order == order::acquire ? barrier::dmb_ishld : barrier::dmb_ish);
            return;
        }
        if (!stores(now().what)) {
            machine_event& made = read();
            made.acquire = acquire();
            made.atomic_instruction = lse && is_read_modify_write(now().what);
        }
        if (stores(now().what)) write().release = release();
        if (!is_read_modify_write(now().what)) return;
        machine_event& made = modifying_write();
        made.release = release();
        made.atomic_instruction = lse;
    }

    void riscv() {
        constexpr std::size_t narrowest_amo = 4;
        const bool loops = now().what == operation::exchange && now().size < narrowest_amo;
        switch (loops ? operation::compare_exchange : now().what) {
            case operation::load:
                if (sc()) put(barrier::fence_rw_rw);
                read();
                if (acquire()) put(barrier::fence_r_rw);
                break;
            case operation::store:
                if (release()) put(barrier::fence_rw_w);
                write();
                if (sc()) put(barrier::fence_rw_rw);
                break;
            case operation::exchange: {
                machine_event& made = put_access(true, true);
                made.acquire = acquire();
                made.release = release();
                made.atomic_instruction = true;
                break;
            }
            case operation::compare_exchange:
            case operation::failed_compare_exchange: {
                machine_event& reserved = read();
                reserved.acquire = acquire();
                reserved.release = sc();
                if (is_read_modify_write(now().what)) modifying_write().release = release();
                break;
            }
            case operation::library_release: write().release = true; break;
            case operation::library_acquire: read().acquire = true; break;
            case operation::fence:
                switch (now().using_order) {
                    case order::relaxed: break;
                    case order::acquire: put(barrier::fence_r_rw); break;
                    case order::release: put(barrier::fence_rw_w); break;
                    case order::acq_rel: put(barrier::fence_tso); break;
                    case order::seq_cst: put(barrier::fence_rw_rw); break;
                }
                break;
        }
    }

    void power() {
        if (now().what == operation::fence) {
            if (now().using_order != order::relaxed) put(sc() ? barrier::sync : barrier::lwsync);
            return;
        }
        if (sc()) {
            put(barrier::sync);
        } else if (release()) {
            put(barrier::lwsync);
        }
        accesses();
        if (!acquire() || stores(now().what)) return;
        put(loads(now().what) ? barrier::isync : barrier::lwsync);
    }

    target which_;
    const std::vector<source_event>& source_;
    std::vector<std::size_t> write_of_;
    std::vector<machine_event> made_;
    std::size_t at_ = 0;
};

}  // namespace

std::vector<machine_event> compile(target which, const std::vector<source_event>& source) {
    return compiler(which, source).compile();
}

}  // namespace ordeal::detail::processors
