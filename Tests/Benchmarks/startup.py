"""The start of the program."""

import os
import subprocess

from measuring import HUB, alternate, row, size


def against_c(folder):
    source, hello = f"{folder}/hello.c", f"{folder}/hello"
    with open(source, "w") as file:
        file.write('#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n')
    subprocess.run(["gcc", "-O2", "-o", hello, source], check=True)
    ours, theirs, _ = alternate([HUB, "--version"], [hello], size(100, 1), os.environ)
    row("hub --version", ours, "C, hello", theirs, "The kernel's exec and the loader, for a program of 20 MB with the Swift runtime in it.", at_most=5)


STEPS = [against_c]
