// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instruments what g++'s own pass for -fsanitize=thread omits in code on trial: arguments and results of calls that are
// copied from and to memory, functions that opted out, assembler, the processor's clock. Copies of classes become calls
// that propagate uninitialised bytes. Runs directly before that pass, and so after optimisations, whose effects it
// cannot undo as clang_plugin.cpp does. The beginnings of scopes are marked before any other pass.
// clang-format off: each needs those before it
#include <gcc-plugin.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <context.h>
#include <basic-block.h>
#include <cfg.h>
#include <fold-const.h>
#include <gimple-iterator.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <stringpool.h>
#include <attribs.h>
#include <langhooks.h>
#include <plugin-version.h>
#include <ssa.h>
#include <tree-cfg.h>
#include <tree-ssa-operands.h>
#include <tree-eh.h>
// clang-format on

#include <cstring>
#include <set>
#include <string>
#include <vector>

int plugin_is_GPL_compatible;  // NOLINT: the compiler requires this name

namespace {

tree runtime_function(const char* name, tree result, const std::vector<tree>& parameters) {
    tree list = void_list_node;
    for (auto each = parameters.rbegin(); each != parameters.rend(); ++each) list = tree_cons(NULL_TREE, *each, list);
    const tree function = build_fn_decl(name, build_function_type(result, list));
    TREE_NOTHROW(function) = 1;
    return function;
}

// Whether another thread could access the memory.
bool is_shared(tree what) {
    if (is_gimple_reg(what) || CONSTANT_CLASS_P(what) || TREE_CODE(what) == CONSTRUCTOR) return false;
    const tree base = get_base_address(what);
    if (base == NULL_TREE) return false;
    if (DECL_P(base)) return may_be_aliased(base) != 0 && !(TREE_READONLY(base) && TREE_STATIC(base));
    return TREE_CODE(base) == MEM_REF || TREE_CODE(base) == TARGET_MEM_REF;
}

gimple* access_to(tree what, bool write, location_t at) {
    const HOST_WIDE_INT size = int_size_in_bytes(TREE_TYPE(what));
    if (size <= 0) return nullptr;
    const tree function = runtime_function(write ? "__tsan_write_range" : "__tsan_read_range", void_type_node,
                                           {ptr_type_node, size_type_node});
    gcall* const call = gimple_build_call(function, 2, build_fold_addr_expr(unshare_expr(what)), size_int(size));
    gimple_set_location(call, at);
    return call;
}

// ---- Scopes ----

bool ends_scope(const gimple* statement) {
    return gimple_clobber_p(statement) && CLOBBER_KIND(gimple_assign_rhs1(statement)) == CLOBBER_EOL &&
           VAR_P(gimple_assign_lhs(statement));
}

template <class Do>
void for_each_statement(gimple_seq& all, Do what) {
    for (gimple_stmt_iterator at = gsi_start(all); !gsi_end_p(at); gsi_next(&at)) {
        gimple* const statement = gsi_stmt(at);
        what(at);
        if (auto* const block = dyn_cast<gbind*>(statement)) {
            for_each_statement(*gimple_bind_body_ptr(block), what);
        } else if (auto* const attempt = dyn_cast<gtry*>(statement)) {
            for_each_statement(*gimple_try_eval_ptr(attempt), what);
            for_each_statement(*gimple_try_cleanup_ptr(attempt), what);
        } else if (auto* const handler = dyn_cast<gcatch*>(statement)) {
            for_each_statement(*gimple_catch_handler_ptr(handler), what);
        } else if (auto* const filter = dyn_cast<geh_filter*>(statement)) {
            for_each_statement(*gimple_eh_filter_failure_ptr(filter), what);
        }
    }
}

// The compiler itself marks the ends of scopes of variables in memory, in order to reuse stack slots. This marks their
// beginnings in the same way, by a clobber, which keeps no variable in memory and affects no other optimisation.
class scope_pass : public gimple_opt_pass {
public:
    explicit scope_pass(const pass_data& data) : gimple_opt_pass(data, g) {}

    unsigned int execute(function* what) override {
        gimple_seq body = gimple_body(what->decl);  // one block
        std::set<tree> ending;
        for_each_statement(body, [&](gimple_stmt_iterator& at) {
            if (ends_scope(gsi_stmt(at))) ending.insert(gimple_assign_lhs(gsi_stmt(at)));
        });
        for_each_statement(body, [&](gimple_stmt_iterator& at) {
            if (auto* const block = dyn_cast<gbind*>(gsi_stmt(at))) mark_begins(block, ending);
            if (auto* const call = dyn_cast<gcall*>(gsi_stmt(at))) tell_array(at, call);
        });
        return 0;
    }

private:
    // A variable whose size is known only at run time, or alloca().
    static void tell_array(gimple_stmt_iterator& at, gcall* call) {
        if (!gimple_call_builtin_p(call, BUILT_IN_NORMAL)) return;
        switch (DECL_FUNCTION_CODE(gimple_call_fndecl(call))) {
        CASE_BUILT_IN_ALLOCA:
            break;
            default: return;
        }
        gcall* const room = gimple_build_call(runtime_function("__ordeal_needs_room", void_type_node, {size_type_node}),
                                              1, unshare_expr(gimple_call_arg(call, 0)));
        gimple_set_location(room, gimple_location(call));
        gsi_insert_before(&at, room, GSI_SAME_STMT);
    }

    static void mark_begins(gbind* block, const std::set<tree>& ending) {
        gimple_seq begins = nullptr;
        for (tree each = gimple_bind_vars(block); each != NULL_TREE; each = DECL_CHAIN(each)) {
            if (ending.count(each) == 0) continue;
            gimple* const mark = gimple_build_assign(each, build_clobber(TREE_TYPE(each)));
            gimple_set_location(mark, DECL_SOURCE_LOCATION(each));
            gimple_seq_add_stmt(&begins, mark);
        }
        gimple_seq_add_seq(&begins, gimple_bind_body(block));
        gimple_bind_set_body(block, begins);
    }
};

// ---- Coroutines ----

// Reports what clang_coroutines.cpp does, before the compiler lowers its built-in functions. A coroutine becomes a
// function that makes the frame and one that goes on from the suspension point whose number the frame has; both store
// that number: 0 at the beginning, and again where unhandled_exception() throws, after which the coroutine has ended.
class coroutine_pass : public gimple_opt_pass {
public:
    explicit coroutine_pass(const pass_data& data) : gimple_opt_pass(data, g) {}

    bool gate(function* /*what*/) override { return flag_coroutines != 0; }

    unsigned int execute(function* what) override {
        gimple_seq body = gimple_body(what->decl);
        const std::set<tree> ends = ends_of_awaits(body);
        const tree suspension = ends.empty() ? NULL_TREE : variable(what);
        for_each_statement(body, [&](gimple_stmt_iterator& at) {
            gimple* const statement = gsi_stmt(at);
            if (auto* const call = dyn_cast<gcall*>(statement)) {
                tell_use(at, call);
                if (resumes(call)) tell(at, "__ordeal_coroutine_resumed", DECL_ARGUMENTS(what->decl));
            } else if (const tree frame = frame_of_suspension(statement)) {
                tell_suspension(at, frame, suspension);
            } else if (const auto* const label = dyn_cast<glabel*>(statement)) {
                if (ends.count(gimple_label_label(label)) != 0)
                    tell_end_of_await(at, DECL_ARGUMENTS(what->decl), suspension);
            }
        });
        if (suspension != NULL_TREE) {
            gimple_stmt_iterator first = gsi_start(*gimple_bind_body_ptr(as_a<gbind*>(gimple_seq_first_stmt(body))));
            const tree none = build_zero_cst(long_long_unsigned_type_node);
            gsi_insert_before(&first, gimple_build_assign(suspension, none), GSI_SAME_STMT);
        }
        return 0;
    }

private:
    // Where coroutines go on: those that were resumed, those that were not suspended because what they await was ready,
    // and those whose await_suspend() has returned false.
    static std::set<tree> ends_of_awaits(gimple_seq& body) {
        constexpr unsigned label = 2;
        std::set<tree> result;
        for_each_statement(body, [&](gimple_stmt_iterator& at) {
            const auto* const call = dyn_cast<gcall*>(gsi_stmt(at));
            if (call == nullptr || !gimple_call_internal_p(call, IFN_CO_YIELD)) return;
            result.insert(TREE_OPERAND(gimple_call_arg(call, label), 0));
        });
        return result;
    }

    // The number of the last suspension since the coroutine was resumed; none is 0.
    static tree variable(function* of) {
        const tree result = create_tmp_var_raw(long_long_unsigned_type_node, "ordeal_suspension");
        DECL_CONTEXT(result) = of->decl;
        add_local_decl(of, result);
        return result;
    }

    static void tell_suspension(gimple_stmt_iterator& at, tree frame, tree suspension) {
        if (integer_zerop(gimple_assign_rhs1(gsi_stmt(at)))) return tell(at, "__ordeal_coroutine_begins", frame);
        gcall* const call = gimple_build_call(
            runtime_function("__ordeal_coroutine_suspends", long_long_unsigned_type_node, {ptr_type_node}), 1, frame);
        if (suspension != NULL_TREE) gimple_call_set_lhs(call, suspension);
        gimple_set_location(call, gimple_location(gsi_stmt(at)));
        gsi_insert_before(&at, call, GSI_SAME_STMT);
    }

    static void tell_end_of_await(gimple_stmt_iterator& at, tree frame, tree suspension) {
        gcall* const call =
            gimple_build_call(runtime_function("__ordeal_coroutine_goes_on", long_long_unsigned_type_node,
                                               {ptr_type_node, long_long_unsigned_type_node}),
                              2, frame, suspension);
        gimple_call_set_lhs(call, suspension);
        gimple_set_location(call, gimple_location(gsi_stmt(at)));
        gsi_insert_after(&at, call, GSI_NEW_STMT);
    }

    static void tell(gimple_stmt_iterator& at, const char* function, tree frame) {
        gcall* const call = gimple_build_call(runtime_function(function, void_type_node, {ptr_type_node}), 1, frame);
        gimple_set_location(call, gimple_location(gsi_stmt(at)));
        gsi_insert_before(&at, call, GSI_SAME_STMT);
    }

    static void tell_use(gimple_stmt_iterator& at, gcall* call) {
        if (!gimple_call_builtin_p(call, BUILT_IN_NORMAL)) return;
        const tree frame = gimple_call_num_args(call) == 0 ? NULL_TREE : gimple_call_arg(call, 0);
        switch (DECL_FUNCTION_CODE(gimple_call_fndecl(call))) {
            case BUILT_IN_CORO_RESUME: return tell(at, "__ordeal_handle_resumes", frame);
            case BUILT_IN_CORO_DESTROY: return tell(at, "__ordeal_handle_destroys", frame);
            case BUILT_IN_CORO_DONE: return tell(at, "__ordeal_handle_asks", frame);
            default: return;
        }
    }

    // The numbers of resumptions are even, those of destructions odd.
    static bool resumes(gcall* call) {
        return gimple_call_internal_p(call, IFN_CO_ACTOR) && !is_odd(gimple_call_arg(call, 0));
    }
    static bool is_odd(tree number) { return (tree_to_uhwi(number) & 1) != 0; }

    // The frame whose next suspension point the statement stores; none for any other.
    static tree frame_of_suspension(const gimple* statement) {
        if (!gimple_assign_single_p(statement)) return NULL_TREE;
        const tree to = gimple_assign_lhs(statement);
        if (TREE_CODE(to) != COMPONENT_REF || TREE_CODE(gimple_assign_rhs1(statement)) != INTEGER_CST) return NULL_TREE;
        const tree name = DECL_NAME(TREE_OPERAND(to, 1));
        const tree frame = TREE_OPERAND(to, 0);
        if (name == NULL_TREE || std::strcmp(IDENTIFIER_POINTER(name), "_Coro_resume_index") != 0) return NULL_TREE;
        return TREE_CODE(frame) == MEM_REF && integer_zerop(TREE_OPERAND(frame, 1)) ? TREE_OPERAND(frame, 0)
                                                                                    : NULL_TREE;
    }
};

class trial_pass : public gimple_opt_pass {
public:
    trial_pass(const pass_data& data, bool optimised) : gimple_opt_pass(data, g), optimised_(optimised) {}

    opt_pass* clone() override { return new trial_pass(*this, optimised_); }
    bool gate(function* /*what*/) override { return (optimize != 0) == optimised_; }

    // After this pass the compiler's own pass checks whether the function has opted out.
    unsigned int execute(function* what) override {
        if (lookup_attribute("naked", DECL_ATTRIBUTES(what->decl)) != NULL_TREE)
            return 0;  // assembler, and nothing else
        tree& attributes = DECL_ATTRIBUTES(what->decl);
        attributes = remove_attribute("no_sanitize", remove_attribute("no_sanitize_thread", attributes));
        let_locals_be_written(what);
        basic_block block;
        FOR_EACH_BB_FN(block, what) {
            for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
                if (!tell_scope(at)) gsi_next(&at);
            }
        }
        gsi_commit_edge_inserts();
        return TODO_update_ssa_only_virtuals;
    }

private:
    // The compiler's own pass does not instrument read-only variables, but their initialisation is a write.
    static void let_locals_be_written(function* what) {
        unsigned i = 0;
        tree variable = NULL_TREE;
        FOR_EACH_LOCAL_DECL(what, i, variable) {
            if (VAR_P(variable) && !is_global_var(variable)) TREE_READONLY(variable) = 0;
        }
        for (tree each = DECL_ARGUMENTS(what->decl); each != NULL_TREE; each = DECL_CHAIN(each))
            TREE_READONLY(each) = 0;
    }

    // Makes a variable keep its stack slot for itself. Returns false for any other statement.
    static bool tell_scope(gimple_stmt_iterator& at) {
        gimple* const mark = gsi_stmt(at);
        const tree variable = gimple_clobber_p(mark) ? gimple_assign_lhs(mark) : NULL_TREE;
        if (variable == NULL_TREE || !VAR_P(variable) || is_global_var(variable) || !is_shared(variable)) {
            tell(at);
            return false;
        }
        const HOST_WIDE_INT size = int_size_in_bytes(TREE_TYPE(variable));
        if (size > 0) {
            const tree function =
                runtime_function(ends_scope(mark) ? "__ordeal_end_of_storage" : "__ordeal_begin_of_scope",
                                 void_type_node, {ptr_type_node, size_type_node});
            gcall* const call = gimple_build_call(function, 2, build_fold_addr_expr(variable), size_int(size));
            gimple_set_location(call, gimple_location(mark));
            gsi_insert_before(&at, call, GSI_SAME_STMT);
        }
        unlink_stmt_vdef(mark);
        gsi_remove(&at, true);
        release_defs(mark);
        return true;
    }

    static void tell(gimple_stmt_iterator& at) {
        gimple* const statement = gsi_stmt(at);
        if (auto* const assembler = dyn_cast<gasm*>(statement)) return tell_assembler(at, assembler);
        if (is_copy_of_bytes(statement)) {
            return copy_out_of_line(at, gimple_assign_lhs(statement), gimple_assign_rhs1(statement));
        }
        if (gimple* const load = load_of_copied_byte(statement)) {
            copy_out_of_line(at, gimple_assign_lhs(statement), gimple_assign_rhs1(load));
            gimple_stmt_iterator where = gsi_for_stmt(load);
            gsi_remove(&where, true);
            release_defs(load);
            return;
        }
        auto* const call = dyn_cast<gcall*>(statement);
        if (call == nullptr) return;
        if (!gimple_call_internal_p(call) && is_machine_builtin(call)) return tell_machine_builtin(at, call);
        call_out_of_line(call);
        tell_arguments(at, call);
    }

    // A copy of a class, a union or an array. Some of its bytes may be uninitialised, and so become those of the copy.
    static bool is_copy_of_bytes(const gimple* statement) {
        if (!gimple_assign_single_p(statement) || gimple_clobber_p(statement) || gimple_has_volatile_ops(statement)) {
            return false;
        }
        const tree to = gimple_assign_lhs(statement);
        const tree from = gimple_assign_rhs1(statement);
        if (!AGGREGATE_TYPE_P(TREE_TYPE(to)) || TREE_CODE(from) == CONSTRUCTOR || CONSTANT_CLASS_P(from)) return false;
        if (!is_shared(from) || is_part_of_byte(to) || is_part_of_byte(from)) return false;
        return int_size_in_bytes(TREE_TYPE(to)) > 0 && !stmt_can_throw_internal(cfun, const_cast<gimple*>(statement));
    }

    static bool is_part_of_byte(tree what) {
        return TREE_CODE(what) == BIT_FIELD_REF ||
               (TREE_CODE(what) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(what, 1)));
    }

    // A load of a character that is only stored again.
    static gimple* load_of_copied_byte(gimple* statement) {
        if (!gimple_assign_single_p(statement) || !gimple_store_p(statement) || gimple_has_volatile_ops(statement)) {
            return nullptr;
        }
        const tree value = gimple_assign_rhs1(statement);
        if (TREE_CODE(value) != SSA_NAME || !has_single_use(value) || is_part_of_byte(gimple_assign_lhs(statement))) {
            return nullptr;
        }
        if (TREE_CODE(TREE_TYPE(value)) != INTEGER_TYPE || int_size_in_bytes(TREE_TYPE(value)) != 1) return nullptr;
        gimple* const load = SSA_NAME_DEF_STMT(value);
        if (!gimple_assign_load_p(load) || gimple_has_volatile_ops(load) || gimple_bb(load) != gimple_bb(statement) ||
            gimple_vuse(load) != gimple_vuse(statement)) {
            return nullptr;
        }
        const tree from = gimple_assign_rhs1(load);
        const bool throws = stmt_can_throw_internal(cfun, load) || stmt_can_throw_internal(cfun, statement);
        return is_shared(from) && !is_part_of_byte(from) && !throws ? load : nullptr;
    }

    // Calls the C library function, which is instrumented: the objects may be the same.
    static void copy_out_of_line(gimple_stmt_iterator& at, tree to, tree from) {
        gimple* const statement = gsi_stmt(at);
        const location_t place = gimple_location(statement);
        const auto address_of = [&](tree what) {
            mark_addressable(what);
            const tree address = build_fold_addr_expr_loc(place, unshare_expr(what));
            return force_gimple_operand_gsi(&at, fold_convert(ptr_type_node, address), true, NULL_TREE, true,
                                            GSI_SAME_STMT);
        };
        const tree target = address_of(to);
        const tree source = address_of(from);
        const tree type =
            build_function_type_list(ptr_type_node, ptr_type_node, ptr_type_node, size_type_node, NULL_TREE);
        const tree function = build_fn_decl("memmove", type);
        TREE_NOTHROW(function) = 1;
        gcall* const call = gimple_build_call(function, 3, target, source, size_int(int_size_in_bytes(TREE_TYPE(to))));
        gimple_set_location(call, place);
        gsi_replace(&at, call, false);
    }

    // Functions that are instrumented at their calls. Later passes turn built-in ones into instructions.
    static bool is_told_where_it_is_called(built_in_function which) {
        switch (which) {
            case BUILT_IN_MEMCPY:
            case BUILT_IN_MEMMOVE:
            case BUILT_IN_MEMSET:
            case BUILT_IN_MEMCMP:
            case BUILT_IN_MEMCMP_EQ:
            case BUILT_IN_BCMP:
            case BUILT_IN_BZERO:
            case BUILT_IN_BCOPY:
            case BUILT_IN_MEMCHR:
            case BUILT_IN_MEMPCPY:
            case BUILT_IN_STRLEN:
            case BUILT_IN_STRNLEN:
            case BUILT_IN_STRCMP:
            case BUILT_IN_STRNCMP:
            case BUILT_IN_STRCASECMP:
            case BUILT_IN_STRNCASECMP:
            case BUILT_IN_STRCPY:
            case BUILT_IN_STPCPY:
            case BUILT_IN_STRNCPY:
            case BUILT_IN_STPNCPY:
            case BUILT_IN_STRCAT:
            case BUILT_IN_STRNCAT:
            case BUILT_IN_STRCHR:
            case BUILT_IN_STRRCHR:
            case BUILT_IN_INDEX:
            case BUILT_IN_RINDEX:
            case BUILT_IN_STRSTR:
            case BUILT_IN_STRSPN:
            case BUILT_IN_STRCSPN:
            case BUILT_IN_STRPBRK:
            case BUILT_IN_SPRINTF:
            case BUILT_IN_SNPRINTF:
            case BUILT_IN_VSPRINTF:
            case BUILT_IN_VSNPRINTF:
            case BUILT_IN_MEMCPY_CHK:
            case BUILT_IN_MEMMOVE_CHK:
            case BUILT_IN_MEMSET_CHK:
            case BUILT_IN_MEMPCPY_CHK:
            case BUILT_IN_STRCPY_CHK:
            case BUILT_IN_STPCPY_CHK:
            case BUILT_IN_STRNCPY_CHK:
            case BUILT_IN_STRCAT_CHK:
            case BUILT_IN_STRNCAT_CHK:
            case BUILT_IN_SPRINTF_CHK:
            case BUILT_IN_SNPRINTF_CHK: return true;
            default: return false;
        }
    }

    static void call_out_of_line(gcall* call) {
        if (!gimple_call_builtin_p(call, BUILT_IN_NORMAL) || gimple_vuse(call) == NULL_TREE) return;
        const tree builtin = gimple_call_fndecl(call);
        if (!is_told_where_it_is_called(DECL_FUNCTION_CODE(builtin))) return;
        const char* name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(builtin));
        if (*name == '*') ++name;
        if (DECL_FUNCTION_CODE(builtin) == BUILT_IN_MEMCMP_EQ) name = "memcmp";
        const tree plain = build_fn_decl(name, TREE_TYPE(builtin));
        TREE_NOTHROW(plain) = TREE_NOTHROW(builtin);
        gimple_call_set_fndecl(call, plain);
        gimple_call_set_fntype(call, TREE_TYPE(plain));
        update_stmt(call);
    }

    static void tell_arguments(gimple_stmt_iterator& at, gcall* call) {
        const location_t place = gimple_location(call);
        for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
            const tree argument = gimple_call_arg(call, i);
            if (!is_shared(argument) || TREE_CODE(argument) == ADDR_EXPR) continue;
            if (gimple* const access = access_to(argument, false, place)) gsi_insert_before(&at, access, GSI_SAME_STMT);
        }
        const tree result = gimple_call_lhs(call);
        if (result == NULL_TREE || TREE_CODE(result) == SSA_NAME || !is_shared(result)) return;
        gimple* const access = access_to(result, true, place);
        if (access == nullptr) return;
        if (!stmt_ends_bb_p(call)) return gsi_insert_after(&at, access, GSI_NEW_STMT);
        if (edge next = find_fallthru_edge(gimple_bb(call)->succs)) gsi_insert_on_edge(next, access);
    }

    static bool is_machine_builtin(const gcall* call) {
        const tree function = gimple_call_fndecl(call);
        return function != NULL_TREE && fndecl_built_in_p(function, BUILT_IN_MD);
    }

    // Built-in instructions. Those that access memory may access any.
    static void tell_machine_builtin(gimple_stmt_iterator& at, gcall* call) {
        const char* const name = IDENTIFIER_POINTER(DECL_NAME(gimple_call_fndecl(call)));
        for (const char* const harmless : {"__builtin_ia32_pause", "__builtin_ia32_lfence", "__builtin_ia32_sfence"}) {
            if (std::strcmp(name, harmless) == 0) return;
        }
        if (std::strncmp(name, "__builtin_ia32_rdtsc", 20) == 0) {
            const tree time = runtime_function("__ordeal_time_stamp", long_long_unsigned_type_node, {});
            gcall* const model = gimple_build_call(time, 0);
            gimple_call_set_lhs(model, gimple_call_lhs(call));
            gimple_set_location(model, gimple_location(call));
            gsi_replace(&at, model, true);
        } else if (std::strncmp(name, "__builtin_ia32_rd", 17) == 0) {
            tell_text("__ordeal_refused", at, name);
        } else if (gimple_vuse(call) != NULL_TREE) {
            tell_unseen(at, name);
        }
    }

    static void tell_assembler(gimple_stmt_iterator& at, gasm* assembler) {
        std::string text = gimple_asm_string(assembler);
        for (char& each : text) {
            if (each < ' ') each = ' ';
        }
        text.erase(0, text.find_first_not_of(' '));
        text.erase(text.find_last_not_of(' ') + 1);
        // Compiler barriers, and hints of spinning loops to the processor.
        for (const char* const harmless : {"", "pause", "rep; nop", "rep;nop", "rep nop", "nop", "yield"}) {
            if (text == harmless) return;
        }
        // Differ in each execution.
        for (const char* const changing : {"rdtsc", "rdpmc", "rdrand", "rdseed"}) {
            if (text.find(changing) == std::string::npos) continue;
            return tell_text("__ordeal_refused", at, "assembler, \"" + text + "\",");
        }
        tell_unseen(at, "assembler, \"" + text + "\"");
    }

    static void tell_text(const char* function, gimple_stmt_iterator& at, const std::string& what) {
        const tree text = build_string_literal(what.size() + 1, what.c_str());
        gcall* const call = gimple_build_call(runtime_function(function, void_type_node, {ptr_type_node}), 1, text);
        gimple_set_location(call, gimple_location(gsi_stmt(at)));
        gsi_insert_before(&at, call, GSI_SAME_STMT);
    }
    static void tell_unseen(gimple_stmt_iterator& at, const std::string& what) {
        tell_text("__ordeal_unseen", at, what);
    }

    bool optimised_;
};

constexpr pass_data description_of_scopes{
    GIMPLE_PASS, "ordeal_scopes", OPTGROUP_NONE, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};
constexpr pass_data description_of_coroutines{
    GIMPLE_PASS, "ordeal_coroutines", OPTGROUP_NONE, TV_NONE, PROP_gimple_any, 0, 0, 0, 0};
constexpr pass_data description{GIMPLE_PASS, "ordeal", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

// The compiler runs one pass for optimised code, in several places, and another one for code without optimisation.
void add_before(const char* plugin, const char* pass, bool optimised) {
    register_pass_info where{new trial_pass(description, optimised), pass, 0, PASS_POS_INSERT_BEFORE};
    register_callback(plugin, PLUGIN_PASS_MANAGER_SETUP, nullptr, &where);
}

}  // namespace

int plugin_init(plugin_name_args* plugin, plugin_gcc_version* version) {
    if (!plugin_default_version_check(version, &gcc_version)) return 1;
    register_pass_info scopes{new scope_pass(description_of_scopes), "lower", 1, PASS_POS_INSERT_BEFORE};
    register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &scopes);
    register_pass_info coroutines{new coroutine_pass(description_of_coroutines), "lower", 1, PASS_POS_INSERT_BEFORE};
    register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &coroutines);
    add_before(plugin->base_name, "tsan", true);
    add_before(plugin->base_name, "tsan0", false);
    return 0;
}
