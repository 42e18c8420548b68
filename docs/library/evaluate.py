"""Lints and evaluates kernels from Python, through ctypes:   python3 evaluate.py [KERNEL.metal TASK]"""
import ctypes
import json
import sys

msci = ctypes.CDLL("libmsci.so.0")
words = ctypes.POINTER(ctypes.c_char_p)
for call in (msci.msci_lint, msci.msci_evaluate):
    call.argtypes = [ctypes.c_char_p, ctypes.c_size_t, words, ctypes.POINTER(ctypes.c_void_p)]
msci.msci_list_tasks.argtypes = [ctypes.POINTER(ctypes.c_void_p)]
msci.msci_free.argtypes = [ctypes.c_void_p]
msci.msci_version.restype = ctypes.c_char_p


def answer_of(call, *arguments):
    """The JSON objects in the answer of a call."""
    answer = ctypes.c_void_p()
    status = call(*arguments, ctypes.byref(answer))
    text = ctypes.cast(answer, ctypes.c_char_p).value.decode() if answer else "no memory is left"
    msci.msci_free(answer)
    if status == 2:
        raise RuntimeError(text)
    return [json.loads(line) for line in text.splitlines()]


def ask(call, source, *options):
    """Calls a function with a source and command-line options."""
    array = (ctypes.c_char_p * (len(options) + 1))(*(each.encode() for each in options), None)
    return answer_of(call, source, len(source), array)


kernel, task = sys.argv[1:] or (None, "heat2d")
print("libmsci", msci.msci_version().decode())
tasks = {each["name"]: each for each in answer_of(msci.msci_list_tasks)}
source = open(kernel, "rb").read() if kernel else tasks[task]["seed"].encode()
for finding in ask(msci.msci_lint, source, "--task", task)[0]["diagnostics"]:
    print(f'line {finding["line"]}: {finding["message"]}')
result = ask(msci.msci_evaluate, source, "--task", task, "--verify-only")[0]
print(task, "right" if result["correct"] else result["fail_reason"])
