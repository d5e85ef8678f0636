// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs before clang's optimisations of code on trial and instruments every access that the source makes. Later no
// optimisation can merge, widen, speculate or drop an access, because of the calls. Only passes that cannot do so
// either come first: small functions are inlined, and variables whose address is not taken are promoted out of memory.
#include "clang_accesses.hpp"
#include "clang_back_off.hpp"
#include "clang_coroutines.hpp"
#include "clang_counted_loops.hpp"
#include "clang_fences.hpp"
#include "clang_lifetimes.hpp"
#include "clang_live_instructions.hpp"
#include "clang_loop_headers.hpp"
#include "clang_short_circuits.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#if __has_include(<llvm/Plugins/PassPlugin.h>)  // from LLVM 22 on
#include <llvm/Plugins/PassPlugin.h>
#else
#include <llvm/Passes/PassPlugin.h>
#endif
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Coroutines/CoroCleanup.h>
#include <llvm/Transforms/Coroutines/CoroEarly.h>
#include <llvm/Transforms/Coroutines/CoroSplit.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/Inliner.h>
#include <llvm/Transforms/Instrumentation/ThreadSanitizer.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Local.h>

#include <cstdint>

namespace ordeal::compiler {

namespace {

using namespace llvm;

// Defined by trial_module.cpp, which is part of each trial but not on trial itself.
constexpr StringRef not_on_trial = "ordeal_not_on_trial";

class first_pass : public PassInfoMixin<first_pass> {
public:
    PreservedAnalyses run(Module& module, ModuleAnalysisManager& /*analyses*/) const {
        report_coroutines(module);
        preserve_source_accesses(module);
        keep_relaxed_fences(module);
        replace_fences_of_assembler(module);
        return PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }
};

class scope_pass : public PassInfoMixin<scope_pass> {
public:
    PreservedAnalyses run(Function& function, FunctionAnalysisManager& /*analyses*/) const {
        return mark_scopes(function) ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
    static bool isRequired() { return true; }
};

// The order of an atomic operation is known once the functions of std::atomic are inlined, and so is what the library
// checks of it; so is the result of a sleep. In a loop that waits such a check would be one more branch, with a call
// behind it.
class constant_branch_pass : public PassInfoMixin<constant_branch_pass> {
public:
    PreservedAnalyses run(Function& function, FunctionAnalysisManager& /*analyses*/) const {
        fold_sleep_results(function);
        while (remove_branches(function)) {
        }
        return PreservedAnalyses::none();
    }

private:
    static bool remove_branches(Function& function) {
        const DataLayout& layout = function.getDataLayout();
        for (BasicBlock* const block : ReversePostOrderTraversal<Function*>(&function)) {
            for (Instruction& each : make_early_inc_range(*block)) {
                if (!isa<CmpInst, BinaryOperator, CastInst, SelectInst, PHINode>(each)) continue;
                if (Constant* const value = ConstantFoldInstruction(&each, layout)) {
                    each.replaceAllUsesWith(value);
                    each.eraseFromParent();
                }
            }
        }
        bool changed = false;
        for (BasicBlock& each : function) changed |= ConstantFoldTerminator(&each);
        if (changed) removeUnreachableBlocks(function);
        return changed;
    }
};

class short_circuit_pass : public PassInfoMixin<short_circuit_pass> {
public:
    PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) const {
        const bool changed = branch_without_flags(function, analyses.getResult<LoopAnalysis>(function));
        return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }
};

// Shortens loops that wait and count.
class waiting_loop_pass : public PassInfoMixin<waiting_loop_pass> {
public:
    PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) const {
        if (drop_back_off(function, analyses.getResult<LoopAnalysis>(function)))
            analyses.invalidate(function, PreservedAnalyses::none());
        shorten_counted_loops(function, analyses.getResult<LoopAnalysis>(function),
                              analyses.getResult<ScalarEvolutionAnalysis>(function),
                              analyses.getResult<DominatorTreeAnalysis>(function));
        return PreservedAnalyses::none();
    }
};

class non_atomic_access_pass : public PassInfoMixin<non_atomic_access_pass> {
public:
    PreservedAnalyses run(Module& module, ModuleAnalysisManager& /*analyses*/) const {
        instrument_non_atomic_accesses(module);
        return PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }
};

// Last, so that what it finds live is what is computed.
class loop_header_pass : public PassInfoMixin<loop_header_pass> {
public:
    PreservedAnalyses run(Function& function, FunctionAnalysisManager& analyses) const {
        mark_loop_headers(function, analyses.getResult<LoopAnalysis>(function),
                          analyses.getResult<DominatorTreeAnalysis>(function));
        return PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }
};

// Clang 19 replaces an atomic load by a call and leaves the load, whose result is unused, after it. One of 16 bytes
// would become a call of libatomic, or an instruction that looks like assembler.
void drop_wide_loads(Function& function) {
    constexpr unsigned wide = 128;
    SmallVector<Instruction*, 8> left;
    for (Instruction& each : instructions(function)) {
        const auto* const load = dyn_cast<LoadInst>(&each);
        if (load == nullptr || !load->isAtomic() || !load->use_empty() || !load->getType()->isIntegerTy(wide)) continue;
        const auto* const call = dyn_cast_or_null<CallInst>(each.getPrevNode());
        const Function* const told = call == nullptr ? nullptr : call->getCalledFunction();
        if (told != nullptr && told->getName() == "__tsan_atomic128_load") left.push_back(&each);
    }
    for (Instruction* const each : left) each->eraseFromParent();
}

// Tells the runtime of additions whose result nobody uses: beside the order, where it has bits of its own.
void mark_unused_results(Function& function) {
    constexpr std::uint64_t result_unused = 0x100;
    for (Instruction& each : instructions(function)) {
        auto* const call = dyn_cast<CallInst>(&each);
        const StringRef name = name_of_called(each);
        if (call == nullptr || !name.starts_with("__tsan_atomic") || !call->use_empty()) continue;
        if (!name.ends_with("_fetch_add") && !name.ends_with("_fetch_sub")) continue;
        const auto* const order = dyn_cast<ConstantInt>(call->getArgOperand(2));
        if (order == nullptr) continue;
        call->setArgOperand(2, ConstantInt::get(order->getType(), order->getZExtValue() | result_unused));
    }
}

// Tells the runtime where nobody uses the result of a wait at a barrier, which says who arrived last.
void mark_barriers(Function& function) {
    for (Instruction& each : instructions(function)) {
        if (name_of_called(each) != "pthread_barrier_wait" || !each.use_empty()) continue;
        auto& call = cast<CallBase>(each);
        call.setCalledFunction(
            function.getParent()->getOrInsertFunction("__ordeal_barrier_wait", call.getFunctionType()));
    }
}

// Prevents clang's own pass, which comes last, from instrumenting again.
class done_pass : public PassInfoMixin<done_pass> {
public:
    PreservedAnalyses run(Module& module, ModuleAnalysisManager& /*analyses*/) const {
        for (Function& each : module) {
            if (each.isDeclaration()) continue;
            drop_wide_loads(each);
            mark_unused_results(each);
            mark_barriers(each);
            each.addFnAttr(Attribute::DisableSanitizerInstrumentation);
        }
        return PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }
};

// From clang's own pass only atomic operations and function entries are needed.
void leave_non_atomic_accesses_to_us() {
    for (const StringRef name : {"tsan-instrument-memory-accesses", "tsan-instrument-memintrinsics"}) {
        const auto option = cl::getRegisteredOptions().find(name);
        if (option == cl::getRegisteredOptions().end()) report_fatal_error("ordeal: this clang has no option " + name);
        static_cast<cl::opt<bool>*>(option->second)->setValue(false);
    }
}

ModulePassManager passes(OptimizationLevel level) {
    ModulePassManager all;
    all.addPass(first_pass());
    all.addPass(CoroEarlyPass());
    if (level == OptimizationLevel::O0) {
        all.addPass(AlwaysInlinerPass());
        all.addPass(createModuleToFunctionPassAdaptor(scope_pass()));
        all.addPass(createModuleToPostOrderCGSCCPassAdaptor(CoroSplitPass(false)));
    } else {
        ModuleInlinerWrapperPass inlining(getInlineParams(level.getSpeedupLevel(), level.getSizeLevel()));
        inlining.addModulePass(createModuleToFunctionPassAdaptor(SROAPass(SROAOptions::PreserveCFG)));
        inlining.getPM().addPass(createCGSCCToFunctionPassAdaptor(SROAPass(SROAOptions::PreserveCFG)));
        inlining.getPM().addPass(createCGSCCToFunctionPassAdaptor(scope_pass()));
        // Without optimising the frame, in which variables would share places.
        inlining.getPM().addPass(CoroSplitPass(false));
        all.addPass(std::move(inlining));
        all.addPass(createModuleToFunctionPassAdaptor(constant_branch_pass()));
        all.addPass(createModuleToFunctionPassAdaptor(short_circuit_pass()));
        all.addPass(createModuleToFunctionPassAdaptor(waiting_loop_pass()));
    }
    all.addPass(CoroCleanupPass());
    all.addPass(non_atomic_access_pass());
    all.addPass(createModuleToFunctionPassAdaptor(loop_header_pass()));
    all.addPass(createModuleToFunctionPassAdaptor(ThreadSanitizerPass()));
    all.addPass(done_pass());
    return all;
}

class trial_pass : public PassInfoMixin<trial_pass> {
public:
    explicit trial_pass(OptimizationLevel level) : level_(level) {}

    PreservedAnalyses run(Module& module, ModuleAnalysisManager& analyses) const {
        if (module.getNamedValue(not_on_trial) != nullptr) return PreservedAnalyses::all();
        leave_non_atomic_accesses_to_us();
        return passes(level_).run(module, analyses);
    }
    static bool isRequired() { return true; }

private:
    OptimizationLevel level_;
};

// After all optimisations, which know what the instructions do.
class unreported_copies_pass : public PassInfoMixin<unreported_copies_pass> {
public:
    explicit unreported_copies_pass(OptimizationLevel level) : optimised_(level != OptimizationLevel::O0) {}

    PreservedAnalyses run(Module& module, ModuleAnalysisManager& /*analyses*/) const {
        if (module.getNamedValue(not_on_trial) != nullptr) return PreservedAnalyses::all();
        replace_unreported_copies(module, optimised_);
        return PreservedAnalyses::none();
    }
    static bool isRequired() { return true; }

private:
    bool optimised_;
};

void register_passes(PassBuilder& builder) {
    builder.registerPipelineStartEPCallback(
        [](ModulePassManager& all, OptimizationLevel level) { all.addPass(trial_pass(level)); });
    const auto at_last = [](ModulePassManager& all, OptimizationLevel level, auto&&... /*phase*/) {
        all.addPass(unreported_copies_pass(level));
    };
    builder.registerOptimizerLastEPCallback(at_last);
}

}  // namespace

}  // namespace ordeal::compiler

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
    return {LLVM_PLUGIN_API_VERSION, "ordeal", LLVM_VERSION_STRING, ordeal::compiler::register_passes};
}
