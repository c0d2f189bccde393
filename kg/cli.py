"""The command line ``kg``: one command a file in ``kg/commands/``, found by file name, loaded when called.

Data goes to standard output, diagnostics to standard error as ``file:line: severity: message``. Exit codes: 0
done, 1 data refused or violations, 2 usage or unreadable input. No traceback reaches a user.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from typing import Any

import click

import kg.commands
from kg.errors import ConfkgError


class _Commands(click.Group):
    """A group whose commands are the modules of ``kg.commands``."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(m.name.replace("_", "-") for m in pkgutil.iter_modules(kg.commands.__path__))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        module = importlib.import_module(f"kg.commands.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="confkg")
def cli() -> None:
    """Listings of conference papers as a knowledge graph in which every statement has an address."""


def main(args: list[str] | None = None) -> None:
    """Run ``kg`` and exit with its code."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):  # Chinese must survive LANG=C
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="surrogateescape" if stream is sys.stdin else "backslashreplace")
    try:
        code = cli.main(args, prog_name="kg", standalone_mode=False)
    except click.ClickException as e:
        e.show()
        code = 2
    except click.Abort:
        click.echo("kg: interrupted", err=True)
        code = 130
    except ConfkgError as e:
        message = " ".join(str(e).split())
        click.echo(message if ": error: " in message else f"kg: error: {message}", err=True)
        code = e.exit_code
    except BrokenPipeError:  # the reader of our output has gone (kg export | head): no fault, and no noise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code if isinstance(code, int) else 0)
