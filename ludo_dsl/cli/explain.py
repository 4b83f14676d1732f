"""`ludo explain`: what a diagnostic code means, at length."""

from __future__ import annotations

import click

from ludo_dsl.cli.common import console, json_option, print_json


@click.command()
@click.argument("code", required=False)
@json_option
def explain(code: str | None, as_json: bool) -> int:
    """Explain a code such as L0203 at length; without one, list all codes."""
    from ludo_dsl.check.explain import codes
    from ludo_dsl.check.explain import explain as section_of

    if code is None:
        if as_json:
            print_json([{"code": c, "title": title} for c, title in codes()])
        else:
            for known, title in codes():
                click.echo(f"{known}  {title}")
        return 0
    text = section_of(code.upper())
    if text is None:
        raise click.UsageError(f"there is no code `{code}`; `ludo explain` lists them all")
    if as_json:
        print_json({"code": code.upper(), "text": text})
    else:
        from rich.markdown import Markdown

        console().print(Markdown(text), soft_wrap=False)
    return 0
