// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ordeal/cli/debugger/debugger.hpp"

namespace ordeal::detail {

// What it reads of the program is in engine/execution/debug_stop.hpp. Stacks of threads that are switched off are shown
// by giving gdb the registers that their fibers saved, for as long as that takes: boost::context has them at fixed
// places.
std::string_view debugger_script() noexcept {
    return R"python(# Of ordeal replay --debug: the threads of the model, and coroutines that are suspended.
import gdb
import linecache
import os
import struct

PLACE = {'file': '', 'line': 0, 'words': '', 'apart': False}
SAVED = [('r12', 0x08), ('r13', 0x10), ('r14', 0x18), ('r15', 0x20), ('rbx', 0x28), ('rbp', 0x30), ('rip', 0x38)]
AFTER_SAVED = 0x40
HARNESS_NAMES = ('ordeal::detail::', 'ordeal::model_', '__tsan_', '__wrap_', 'ordeal_', 'jump_fcontext',
                 'make_fcontext')
SCENARIO_NAMES = ('ordeal::detail::body_of<',)  # what the compiler made one function of
HARNESS_FILES = ('/src/ordeal/engine/', '/src/ordeal/runtime/', '/src/ordeal/instrumented/', '/src/ordeal/scenario/',
                 '/src/ordeal/cli/')
LIBRARY_FILES = ('/include/c++/', '/src/ordeal/instrumented/libstdcxx/overlay/', '/bits/')


# `apart`: the code on trial is in a library of its own.
def ordeal_expect(file, line, words, apart):
    PLACE.update(file=file, line=line, words=words, apart=apart)


def address_of(symbol):
    return int(gdb.parse_and_eval('(unsigned long)&' + symbol))


def read(address, size):
    return gdb.selected_inferior().read_memory(address, size).tobytes()


def word(address):
    return struct.unpack('<Q', read(address, 8))[0]


def text(raw):
    return raw.split(b'\0')[0].decode('utf-8', 'replace')


def file_of(frame):
    sal = frame.find_sal()
    return sal.symtab.fullname() if sal.symtab else ''


def is_library(frame):
    name = frame.name() or ''
    return name.startswith(('std::', '__gnu_cxx::')) or any(part in file_of(frame) for part in LIBRARY_FILES)


def is_harness(frame):
    name = frame.name() or ''
    file = file_of(frame)
    if PLACE['apart']:
        return not (gdb.solib_name(frame.pc()) or '').endswith('_trial.so') or \
            any(part in file for part in HARNESS_FILES) and not any(part in file for part in LIBRARY_FILES)
    if any(part in file for part in LIBRARY_FILES):
        return False
    if any(part in file for part in HARNESS_FILES):
        return True
    if name.startswith(SCENARIO_NAMES):
        return False
    return not name or name.startswith(HARNESS_NAMES)


def is_step(frame):
    sal = frame.find_sal()
    if not PLACE['line'] or not sal.symtab or sal.line != PLACE['line']:
        return False
    return os.path.basename(sal.symtab.filename) == os.path.basename(PLACE['file'])


def frames():
    frame = gdb.newest_frame()
    seen = 0
    while frame is not None and seen < 500:
        yield frame
        seen += 1
        try:
            frame = frame.older()
        except gdb.error:
            return


# The code on trial between the part of the harness that it has called and the part that has called it.
def user_frames():
    result = []
    for frame in frames():
        if frame.type() == gdb.SIGTRAMP_FRAME:
            result = []  # what handles the signal is ours
            continue
        if is_harness(frame):
            if any(not is_library(each) for each in result):
                break
            result = []
            continue
        result.append(frame)
    while result and is_library(result[0]):
        result.pop(0)
    return result


def words_for(frame):
    sal = frame.find_sal()
    where = ''
    if sal.symtab and sal.line:
        where = ' at %s:%d' % (sal.symtab.filename, sal.line)
    elif gdb.solib_name(frame.pc()):
        where = ' from ' + gdb.solib_name(frame.pc())
    return '%s%s' % (frame.name(), where)


class saved_registers:
    """The registers as they are, to which they come back."""
    NAMES = ['rax', 'rbx', 'rcx', 'rdx', 'rsi', 'rdi', 'rbp', 'rsp', 'r8', 'r9', 'r10', 'r11', 'r12', 'r13', 'r14',
             'r15', 'rip', 'eflags']

    def __enter__(self):
        gdb.newest_frame().select()
        self.values = {name: int(gdb.parse_and_eval('(unsigned long)$' + name)) for name in self.NAMES
                       if name != 'eflags'}
        self.values['eflags'] = int(gdb.newest_frame().read_register('eflags').cast(gdb.lookup_type('int')))
        return self

    def __exit__(self, *error):
        set_registers(self.values)
        return False


def set_registers(values):
    gdb.newest_frame().select()
    for name, value in values.items():
        gdb.execute('set $%s = %d' % (name, value))


# Of a fiber that is switched off; none has begun whose code is not known.
def registers_at(context):
    values = {name: word(context + offset) for name, offset in SAVED}
    values['rsp'] = context + AFTER_SAVED
    return values


class model_thread:
    SIZE = 64 + 64 + 8 + 4 + 4

    def __init__(self, number, raw):
        self.number = number
        self.name = text(raw[0:64])
        self.state = text(raw[64:128])
        self.context, self.step, self.runs = struct.unpack('<QII', raw[128:144])

    def title(self):
        name = "'%s', " % self.name if self.name else ''
        last = 'last step %d' % self.step if self.step else 'no step yet'
        return 'thread %d, %s%s; %s' % (self.number, name, self.state, last)

    # Calls `look` with this thread's stack as gdb's own.
    def visit(self, look):
        if self.runs:
            gdb.newest_frame().select()
            return look()
        if not self.context:
            return None
        with saved_registers():
            set_registers(registers_at(self.context))
            return look()


def model_threads():
    count = struct.unpack('<I', read(address_of('ordeal_debugged_thread_count'), 4))[0]
    begin = address_of('ordeal_debugged_threads')
    return [model_thread(i, read(begin + i * model_thread.SIZE, model_thread.SIZE)) for i in range(count)]


def supported():
    if gdb.selected_frame().architecture().name().startswith('i386:x86-64'):
        return True
    print('Stacks of other threads are shown on x86-64 only.')
    return False


def print_stack():
    shown = user_frames()
    for number, frame in enumerate(shown):
        print('    #%d %s' % (number, words_for(frame)))
    if not shown:
        print('    (nothing of the code on trial: it has not begun, or is at its end)')


class info_threads(gdb.Command):
    """The threads of the model, each with its stack: of the code on trial, not of the harness.
Those that are switched off as well as the one that runs."""

    def __init__(self):
        super().__init__('info ordeal-threads', gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if not supported():
            return
        selected = gdb.selected_frame().level()
        for thread in model_threads():
            if thread.number == 0 and not thread.runs:
                continue
            print(thread.title())
            if thread.runs or thread.context:
                thread.visit(print_stack)
        select_level(selected)


def select_level(level):
    for frame in frames():
        if frame.level() == level:
            frame.select()


def symbol_at(address):
    answer = gdb.execute('info symbol %d' % address, to_string=True).strip()
    return '' if answer.startswith('No symbol') else answer.split(' in section ')[0]


RESUMES = ('.resume', '.actor')
DESTROYS = ('.destroy', '.cleanup')


# "name(arguments) [clone .resume]" of clang, "name(name(arguments)::mangled.Frame*) [clone .actor]" of g++: the
# function as in the source.
def coroutine_name(symbol, endings):
    for ending in endings:
        position = symbol.find(ending)
        if position == -1 or '+' in symbol[position:]:
            continue
        name = symbol[:position].replace(' [clone', '').rstrip(' [(')
        mangled = name.find('::_Z')
        if not name.endswith('.Frame*)') or mangled == -1:
            return name
        depth, begin = 0, len(name)
        while begin > 0 and (depth > 0 or begin == len(name)):
            begin -= 1
            depth += {')': 1, '(': -1}.get(name[begin], 0)
        return name[begin + 1:mangled]
    return None


# The end of a block is no place to go on at: g++ puts there what finds that place.
def is_closing_brace(sal):
    return linecache.getline(sal.symtab.fullname(), sal.line).strip() in ('}', '};')


# Where a resumption would go on: the function is followed from its beginning to the first line of the source, on a part
# of the stack that nobody uses, and without its calls. The frame and the registers are then put back.
def place_of_suspension(frame, size, resume):
    begins = gdb.find_pc_line(resume)
    kept = read(frame, size)
    gdb.execute('handle SIGPROF nopass', to_string=True)
    gdb.execute('set suppress-cli-notifications on')
    try:
        with saved_registers() as before:
            stack = (before.values['rsp'] - 0x8000) & ~0xf
            set_registers({'rsp': stack - 8, 'rdi': frame, 'rip': resume})
            for _ in range(400):
                pc = int(gdb.parse_and_eval('(unsigned long)$pc'))
                sal = gdb.find_pc_line(pc)
                known = sal.symtab and sal.line and begins.symtab and sal.line != begins.line
                if known and not is_closing_brace(sal):
                    return '%s:%d' % (sal.symtab.filename, sal.line)
                step = gdb.selected_frame().architecture().disassemble(pc)[0]
                if step['asm'].startswith('ret'):
                    return None
                if step['asm'].startswith('call'):
                    gdb.execute('set $pc = %d' % (pc + step['length']))
                else:
                    gdb.execute('stepi', to_string=True)
            return None
    except gdb.error:
        return None
    finally:
        gdb.selected_inferior().write_memory(frame, kept)
        gdb.execute('set suppress-cli-notifications off')
        gdb.execute('handle SIGPROF nostop noprint pass', to_string=True)


# The functions that some thread is in.
def running_functions():
    found = set()

    def look():
        for frame in frames():
            function = frame.function()
            if function is not None:
                found.add(int(function.value().address))

    for thread in model_threads():
        if thread.runs or thread.context:
            thread.visit(look)
    return found


def coroutine_frames():
    count = word(address_of('ordeal_debugged_block_count'))
    begin = word(address_of('ordeal_debugged_blocks'))
    known = {}
    for i in range(count):
        address, size = struct.unpack('<QQ', read(begin + 16 * i, 16))
        if size < 16:
            continue
        resume, destroy = struct.unpack('<QQ', read(address, 16))
        for each in (resume, destroy):
            if each not in known:
                known[each] = symbol_at(each) if each else ''
        name = coroutine_name(known[resume], RESUMES)
        done = resume == 0 and coroutine_name(known[destroy], DESTROYS)
        if name or done:
            yield address, size, resume, name or done


class coroutines(gdb.Command):
    """The coroutines whose frames are on the heap of the code on trial, and where each is suspended."""

    def __init__(self):
        super().__init__('ordeal-coroutines', gdb.COMMAND_STACK)

    def invoke(self, argument, from_tty):
        if not supported():
            return
        selected = gdb.selected_frame().level()
        running = running_functions()
        found = list(coroutine_frames())
        for address, size, resume, name in found:
            if resume == 0:
                where = 'at its final suspension point'
            else:
                place = place_of_suspension(address, size, resume)
                where = 'suspended' + (', goes on at ' + place if place else ', the place is not known')
                if resume in running:
                    where += ' (or it runs: a thread is in this function)'
            print('frame 0x%x, %d bytes: %s, %s' % (address, size, name, where))
        if not found:
            print('No coroutine has a frame on the heap.')
        select_level(selected)


def ordeal_stopped():
    try:
        name = gdb.newest_frame().name()
    except gdb.error:
        name = None
    if name is None or not name.startswith('ordeal_stop_here'):
        print('ordeal: the program did not come to the step')
        return
    print('\n' + PLACE['words'])
    if any(thread.runs for thread in model_threads()):
        mine = user_frames()
        at_step = [frame for frame in mine if is_step(frame)]
        chosen = (at_step or mine or [gdb.newest_frame()])[0]
        chosen.select()
        gdb.execute('frame')
    else:
        print('No thread runs:')
        gdb.execute('info ordeal-threads')
    print('bt: this stack; info ordeal-threads: all of them; ordeal-coroutines: those that are suspended')


info_threads()
coroutines()
)python";
}

}  // namespace ordeal::detail
