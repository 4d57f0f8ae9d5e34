"""The command guildbox, which is the program."""

import os
import subprocess
import sys

from guildbox import program


def main():
    command = [program(), *sys.argv[1:]]
    if sys.platform == "win32":
        sys.exit(subprocess.run(command).returncode)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
