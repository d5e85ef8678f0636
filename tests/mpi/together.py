#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# tests/mpi/together.py PROGRAM ARGUMENT...: runs the program with one remote worker, without MPI. What is to be searched
# and the first graphs reach the worker together, as they may on a busy machine: it must not wait for more.
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading

WORKER = "ORDEAL_REMOTE_WORKER"
GRANTED = struct.pack("<Qc", 0, b"Y")
HEAD = len(GRANTED)


def messages(content):
    """How many messages the bytes have completely."""
    count = 0
    while len(content) >= HEAD and len(content) >= (end := HEAD + struct.unpack_from("<Q", content)[0]):
        content = content[end:]
        count += 1
    return count


def copy(source, target):
    while content := source.recv(1 << 20):
        target.sendall(content)
    target.shutdown(socket.SHUT_WR)


def serve(client, command):
    client.sendall(GRANTED)
    first = b""
    while messages(first) < 2:
        more = client.recv(1 << 20)
        if not more:
            return
        first += more
    here, there = socket.socketpair()
    here.sendall(first)  # before the worker begins, so that one read has it all
    with subprocess.Popen(command, env=os.environ | {WORKER: str(there.fileno())}, pass_fds=[there.fileno()]):
        there.close()
        back = threading.Thread(target=copy, args=(here, client), daemon=True)
        back.start()
        copy(client, here)


def main():
    command = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(folder + "/socket")
        listening.listen()
        with subprocess.Popen(command, env=os.environ | {"ORDEAL_WORKERS": f"2:{folder}/socket"}) as program:

            def accept():
                client, _ = listening.accept()
                listening.close()  # of the two there are, one is lent
                serve(client, command)

            threading.Thread(target=accept, daemon=True).start()
            return program.wait()


sys.exit(main())
